// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.util.List;
import java.util.Optional;

/**
 * One collector's measurements of one instance in one window.
 *
 * @param collector name of the collector process
 * @param sequence grows by one with each observation that this collector sends of this service
 * @param instance as host:port
 * @param windowStartMillis since the epoch, a multiple of the window's length
 * @param measured over the window
 * @param inFlight requests at the instance when the window ended
 * @param outside started requests that the lease in force did not address
 * @param streams proxy streams that reported the service's requests to the collector; with 0 the observation has only gauges, and
 *        its count of 0 requests is no evidence
 * @param impairment why the collector reports its observation as incomplete, in a sentence without its subject; empty when there
 *        is no reason
 * @param redirectors whose proxies report requests of the service to the collector
 * @param ownLimits limits that RedLiner chose and that ended requests
 * @param history latencies before the run; only in some of the run's first windows
 * @param host name of the machine that the instance runs on; empty when the collector does not know it
 */
public record InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
        WindowStats measured,
        long inFlight, long outside, int streams, String impairment, List<String> redirectors,
        List<OwnLimitEnds> ownLimits, Optional<LatencyHistory> history, Optional<String> host) {

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

    /** Creates an observation without redirectors, limits, history and host. */
    public InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
            WindowStats measured, long inFlight, long outside, int streams, String impairment) {
        this(collector, sequence, instance, windowStartMillis, measured, inFlight, outside, streams, impairment,
                List.of(), List.of(), Optional.empty(), Optional.empty());
    }

    /** Creates an observation from one proxy stream, with all requests addressed by the lease and without an impairment. */
    public InstanceObservation(String collector, long sequence, String instance, long windowStartMillis,
            WindowStats measured,
            long inFlight) {
        this(collector, sequence, instance, windowStartMillis, measured, inFlight, 0, 1, "");
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
