// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * The requests and gauges of one instance in one window that is closed: nothing is added to it any more.
 *
 * @param instanceId the instance
 * @param sequence grows by one with each window of the service
 * @param start inclusive; a multiple of the length since the epoch
 * @param requests the counts of what proxies reported; all 0 without a proxy
 * @param gauges other measurements by name; finite
 * @param proxies live proxy streams of the service; 0 when none knows the instance: then nothing is known of its requests
 * @param missed records of the instance since its previous window that could not be counted in any window
 * @param summary whether no run was live on the service, so that requests are only counted and their times are not kept
 * @param impairments why the collector could not measure well in this window
 * @param ownLimits limits that RedLiner chose and that ended requests of the instance in the last minute
 * @param history how long requests took before the run; only two of the run's first windows carry it
 */
public record ClosedWindow(InstanceId instanceId, long sequence, Instant start, Duration length, RequestCounts requests,
        Map<String, Double> gauges, int proxies, long missed, boolean summary,
        Set<DegradationReason> impairments, List<OwnLimitEnds> ownLimits, Optional<LatencyHistory> history) {

    public ClosedWindow {
        gauges = Map.copyOf(gauges);
        impairments = Set.copyOf(impairments);
        ownLimits = List.copyOf(ownLimits);
    }

    /** See {@link InstanceId}. */
    public String service() {
        return instanceId.service();
    }

    /** See {@link InstanceId}. */
    public String instance() {
        return instanceId.instance();
    }

    /** See {@link RequestCounts}. */
    public long started() {
        return requests.started();
    }

    /** See {@link RequestCounts}. */
    public long outside() {
        return requests.outside();
    }

    /** See {@link RequestCounts}. */
    public long completed() {
        return requests.completed();
    }

    /** See {@link RequestCounts}. */
    public Map<RequestError, Long> errors() {
        return requests.errors();
    }

    /** See {@link RequestCounts}. */
    public Optional<Histogram> latency() {
        return requests.latency();
    }

    /** See {@link RequestCounts}. */
    public long inFlight() {
        return requests.inFlight();
    }

    /** See {@link RequestCounts}. */
    public List<OverdueCount> overdue() {
        return requests.overdue();
    }
}
