// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;

/**
 * Settings of how windows are cut, and how much is kept.
 *
 * @param length of a window when no run asks for another one, 100 ms to 10 s, in whole milliseconds
 * @param grace how long after its end a window waits for streams that have not reported anything newer, 0 to 1 min
 * @param settling how long after its end a window waits in any case, for what is measured at its very end; 0 to the grace
 * @param horizon how far a record may be ahead of the clock, and how far sealing may be behind it, before what is
 *        concerned is dropped; at least the length
 * @param longestRequest a request that is in flight for longer is forgotten; when its timeout is known, it is forgotten one horizon
 *        after the timeout
 * @param idleInstance an instance without a record for this long is no longer reported
 * @param bounds how much is kept at most
 */
public record WindowSettings(Duration length, Duration grace, Duration settling, Duration horizon,
        Duration longestRequest, Duration idleInstance, Bounds bounds) {

    /**
     * Bounds of what is kept. Anything beyond is dropped and counted.
     *
     * @param services how many services
     * @param instances how many instances of one service
     * @param inFlight how many requests in flight of one service
     * @param gauges how many gauges of one instance
     */
    public record Bounds(int services, int instances, int inFlight, int gauges) {

        public Bounds {
            if (services < 1 || instances < 1 || inFlight < 1 || gauges < 1) {
                throw new IllegalArgumentException(
                        "services, instances, requests in flight and gauges: at least 1 of each");
            }
        }
    }

    /** The shortest window there is. */
    public static final Duration MIN_LENGTH = Duration.ofMillis(100);

    /** The longest one. */
    public static final Duration MAX_LENGTH = Duration.ofSeconds(10);

    private static final Duration MAX_GRACE = Duration.ofMinutes(1);

    /** 1 s windows with 250 ms grace, of which 20 ms in any case. */
    public static final WindowSettings DEFAULT = new WindowSettings(Duration.ofSeconds(1), Duration.ofMillis(250),
            Duration.ofMillis(20),
            Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofMinutes(15),
            new Bounds(256, 1_000, 50_000, 1_000));

    public WindowSettings {
        if (length.compareTo(MIN_LENGTH) < 0 || length.compareTo(MAX_LENGTH) > 0
                || length.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    "a window is " + MIN_LENGTH + " to " + MAX_LENGTH + " long, in whole milliseconds; not " + length);
        }
        if (grace.isNegative() || grace.compareTo(MAX_GRACE) > 0) {
            throw new IllegalArgumentException("the grace is 0 to " + MAX_GRACE + "; not " + grace);
        }
        if (settling.isNegative() || settling.compareTo(grace) > 0) {
            throw new IllegalArgumentException("settling takes 0 to the grace, " + grace + "; not " + settling);
        }
        if (horizon.compareTo(length) < 0) {
            throw new IllegalArgumentException("the horizon is at least a window, " + length + "; not " + horizon);
        }
        if (!longestRequest.isPositive() || !idleInstance.isPositive()) {
            throw new IllegalArgumentException("the longest request and the idle time of an instance are above 0");
        }
    }
}
