// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a run is, for people.
 *
 * @param elapsed since the run began
 * @param phase as the API names it
 * @param share of the service's traffic that the SUT received in the last window, 0 to 1
 * @param requestsPerSecond at the SUT in the last window
 * @param p99 latency in seconds, or null when nothing completed
 * @param p99Limit limit of the SLA in seconds, or null when unknown
 * @param harm requests harmed so far
 * @param reason what the analyzer or the controller said last
 */
record Progress(Duration elapsed, String phase, double share, double requestsPerSecond, @Nullable Double p99,
        @Nullable Double p99Limit, double harm, String reason) {

    private static final int BAR_WIDTH = 24;

    /** One line for a terminal: the bar fills toward the red line. */
    String bar() {
        return String.format(Locale.ROOT, "%s %-10s %s %s of %s  share %4.1f %%  %4.0f req/s  harm %.0f", clock(),
                phase,
                meter(), milliseconds(p99), milliseconds(p99Limit), share * 100, requestsPerSecond, harm);
    }

    /** One line for a file or a pipe. */
    String line() {
        return String.format(Locale.ROOT, "%s %-10s share %4.1f %%  %4.0f req/s  p99 %s of %s  harm %.0f  %s", clock(),
                phase, share * 100, requestsPerSecond, milliseconds(p99), milliseconds(p99Limit), harm, reason);
    }

    private String clock() {
        return String.format(Locale.ROOT, "%d:%02d", elapsed.toMinutes(), elapsed.toSecondsPart());
    }

    private String meter() {
        double used = p99 == null || p99Limit == null ? 0 : Math.min(1, p99 / p99Limit);
        int filled = (int) Math.round(used * BAR_WIDTH);
        return "[" + "#".repeat(filled) + "-".repeat(BAR_WIDTH - filled) + "]";
    }

    private static String milliseconds(@Nullable Double seconds) {
        return seconds == null ? "   - ms" : String.format(Locale.ROOT, "%4.0f ms", seconds * 1000);
    }
}
