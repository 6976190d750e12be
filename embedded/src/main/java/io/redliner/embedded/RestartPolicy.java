// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides when a process that died is started again: at once, later when it dies again and again, and at last no more. For one
 * thread.
 */
final class RestartPolicy {

    /** The deaths before a longer life do not count any more. */
    private static final Duration LONG_LIFE = Duration.ofSeconds(10);

    private static final Duration FIRST_DELAY = Duration.ofMillis(100);

    /** The largest number of starts. Their delays add up to 3.1 s in which the process does not run. */
    private static final int MAX_STARTS = 6;

    private int deaths;

    /**
     * Counts a death.
     *
     * @param lived zero when it could not be started
     * @return the delay until the next start; empty when there is none
     */
    Optional<Duration> afterDeath(Duration lived) {
        deaths = lived.compareTo(LONG_LIFE) >= 0 ? 1 : deaths + 1;
        if (deaths > MAX_STARTS) {
            return Optional.empty();
        }
        return Optional.of(deaths == 1 ? Duration.ZERO : FIRST_DELAY.multipliedBy(1L << (deaths - 2)));
    }

    /** Returns how often the process died without a longer life in between. */
    int deaths() {
        return deaths;
    }
}
