// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;

/** For what is promised within a second. A busy machine is given ten, and the message says how long it took. */
public final class Promptly {

    private static final Duration PROMISED = Duration.ofSeconds(1);

    private static final Duration TOLERATED = Duration.ofSeconds(10);

    private Promptly() {}

    /** Waits until it holds. */
    public static void promptly(String what, ThrowingRunnable holds) {
        long start = System.nanoTime();
        await(what).pollInterval(Duration.ofMillis(10)).pollDelay(Duration.ZERO)
                .untilAsserted(holds);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(took).as("%s took %d ms, promised are %d", what, took.toMillis(), PROMISED.toMillis())
                .isLessThan(TOLERATED);
    }
}
