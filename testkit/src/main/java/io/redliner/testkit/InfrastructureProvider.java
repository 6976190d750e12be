// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.embedded.EnvoyBootstrap;
import java.nio.file.Path;

/** Provides brokers, databases and proxies for tests. Everything listens on the loopback interface of this machine. */
interface InfrastructureProvider {

    /** Starts a broker whose data goes with it. */
    TestBroker broker();

    /** Starts a server whose data goes with it. */
    TestDatabase database();

    /** Starts a broker whose data is in a folder, at a port of this machine. */
    TestBroker broker(Path folder, int port);

    /** Starts a server whose data is in a folder, at a port of this machine. */
    TestDatabase database(Path folder, int port);

    /** Starts a proxy; the folder is for its files, and has those that its bootstrap names. */
    TestProxy proxy(EnvoyBootstrap bootstrap, Path folder);
}
