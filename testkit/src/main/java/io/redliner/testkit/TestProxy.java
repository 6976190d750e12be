// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import java.time.Duration;

/** An Envoy for tests. */
public interface TestProxy extends AutoCloseable {

    /** Returns the port of the admin interface, on the loopback interface. */
    int adminPort();

    /** Returns whether the proxy runs. */
    boolean isAlive();

    /**
     * Waits until the proxy has its listeners and serves.
     *
     * @throws IllegalStateException when it ended instead, or is not ready in time
     */
    void awaitLive(Duration timeout);

    /** Ends the proxy. */
    @Override
    void close();
}
