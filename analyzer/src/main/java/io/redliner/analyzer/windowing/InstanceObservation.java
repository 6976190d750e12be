// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import java.time.Duration;
import java.util.List;

/**
 * One collector's measurements of one instance in one window.
 *
 * @param collector name of the collector process
 * @param sequence grows by one with each observation that this collector sends of this service
 * @param instance as host:port
 * @param windowStartMillis since the epoch, a multiple of the window's length
 * @param measurements of the instance
 * @param streams proxy streams that reported the service's requests to the collector; with 0 the observation has only gauges, and
 *        its count of 0 requests is no evidence
 * @param impairment why the collector reports its observation as incomplete, in a sentence without its subject; empty when there
 *        is no reason
 * @param redirectors whose proxies report requests of the service to the collector
 */
public record InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
        InstanceMeasurements measurements, int streams, String impairment, List<String> redirectors) {

    public InstanceObservation {
        redirectors = List.copyOf(redirectors);
        long length = measurements.measured().length().toMillis();
        if (length <= 0 || windowStartMillis % length != 0) {
            throw new IllegalArgumentException("a window of " + measurements.measured().length() + " cannot start at "
                    + windowStartMillis + " ms");
        }
    }

    /** Creates an observation from one proxy stream without an impairment. */
    public InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
            InstanceMeasurements measurements) {
        this(collector, sequence, instance, windowStartMillis, measurements, 1, "", List.of());
    }

    /** Returns the length of the window. */
    public Duration length() {
        return measurements.measured().length();
    }

    /** Returns true when a proxy reported the service's requests, even if there were none. */
    public boolean hasTraffic() {
        return streams > 0;
    }

    Source source() {
        return new Source(collector, instance);
    }

    /** A collector and an instance. Each such pair reports once in every window. */
    record Source(String collector, String instance) {}
}
