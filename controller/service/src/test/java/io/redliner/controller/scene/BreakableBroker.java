// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.file.Path;

/** A broker of one test, which stops and comes back at its port with its data. */
final class BreakableBroker {

    private final Path folder = TemporaryFolder.create("controller-kafka");

    private final int port = FreePort.next();

    private TestBroker broker = TestKit.broker(folder, port);

    TestBroker broker() {
        return broker;
    }

    void startAgain() {
        broker = TestKit.broker(folder, port);
    }

    void close() {
        broker.close();
    }
}
