// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import io.redliner.fixture.Broker;
import io.redliner.fixture.Fixture;
import java.nio.file.Path;

/** A broker of one test, which stops and comes back at its port with its data. */
final class BreakableBroker {

    private final Path folder = TemporaryFolder.create("controller-kafka");

    private final int port = FreePort.next();

    private Broker broker = Fixture.broker(folder, port);

    Broker broker() {
        return broker;
    }

    void startAgain() {
        broker = Fixture.broker(folder, port);
    }

    void close() {
        broker.close();
    }
}
