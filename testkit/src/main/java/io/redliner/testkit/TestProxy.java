// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import java.time.Duration;

/** An Envoy. */
public interface TestProxy extends AutoCloseable {

    /** Where the admin interface listens, on the loopback interface. */
    int adminPort();

    /** Whether it runs. */
    boolean isAlive();

    /**
     * Waits until the proxy has its listeners and serves.
     *
     * @throws IllegalStateException when it ended instead, or is not ready in time
     */
    void awaitLive(Duration timeout);

    /** Ends it. */
    @Override
    void close();
}
