// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.util.List;
import java.util.Optional;

/**
 * What one collector saw of one instance in one window.
 *
 * @param collector which process
 * @param sequence grows by one with each observation that this collector sends of this service
 * @param instance as host:port
 * @param windowStartMillis since the epoch, a multiple of the window's length
 * @param measured over the window
 * @param inFlight requests at the instance when the window ended
 * @param outside of those started, requests that the lease in force did not address; not more than started
 * @param streams of proxies that reported the service's requests to the collector; with none there are gauges alone, and a
 *        count of 0 requests is no evidence
 * @param impairment why the collector reports its observation as incomplete, in a sentence without its subject; empty when there
 *        is no reason
 * @param redirectors whose proxies report requests of the service to the collector
 * @param ownLimits limits that RedLiner chose and that ended requests
 * @param history how long requests took before the run; in some of its first windows alone
 */
public record InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
        WindowStats measured,
        long inFlight, long outside, int streams, String impairment, List<String> redirectors,
        List<OwnLimitEnds> ownLimits, Optional<LatencyHistory> history) {

    public InstanceObservation {
        redirectors = List.copyOf(redirectors);
        ownLimits = List.copyOf(ownLimits);
        long length = measured.length().toMillis();
        if (length <= 0 || windowStartMillis % length != 0) {
            throw new IllegalArgumentException("a window of " + measured.length() + " cannot start at "
                    + windowStartMillis + " ms");
        }
        if (outside < 0 || outside > measured.started()) {
            throw new IllegalArgumentException(
                    outside + " requests of " + measured.started() + " are outside of the lease");
        }
    }

    /** By a collector that does not say whose proxies report to it. */
    public InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
            WindowStats measured, long inFlight, long outside, int streams, String impairment) {
        this(collector, sequence, instance, windowStartMillis, measured, inFlight, outside, streams, impairment,
                List.of(), List.of(), Optional.empty());
    }

    /** Of requests that the lease speaks of, all of them, and without an impairment. */
    public InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
            WindowStats measured,
            long inFlight) {
        this(collector, sequence, instance, windowStartMillis, measured, inFlight, 0, 1, "");
    }

    /** Whether a proxy reported requests. */
    public boolean hasTraffic() {
        return streams > 0;
    }

    Source source() {
        return new Source(collector, instance);
    }

    /** What reports once in every window. */
    record Source(String collector, String instance) {}
}
