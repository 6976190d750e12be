// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.window;

import io.redliner.sla.Measured;

/**
 * What one collector saw of one instance in one window.
 *
 * @param collector which process
 * @param sequence grows by one with each sighting of this collector of this service
 * @param instance as host:port
 * @param windowStartMillis since the epoch, a multiple of the window's length
 * @param measured over the window
 * @param inFlight requests at the instance when the window ended
 */
public record Sighting(String collector, long sequence, String instance, long windowStartMillis, Measured measured,
        long inFlight) {

    public Sighting {
        long length = measured.length().toMillis();
        if (length <= 0 || windowStartMillis % length != 0) {
            throw new IllegalArgumentException("a window of " + measured.length() + " cannot start at "
                    + windowStartMillis + " ms");
        }
    }

    Source source() {
        return new Source(collector, instance);
    }

    /** What reports once in every window. */
    record Source(String collector, String instance) {}
}
