// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The requests of one instance in one window. Where proxies report a sample only, each record counts as the requests that it
 * stands for.
 *
 * @param started requests sent to the instance in this window
 * @param outside of those started, requests that the lease in force did not speak of
 * @param completed requests that ended in this window, failed ones included
 * @param completedRecords how many records {@code completed} is made from
 * @param errors failed requests by class; classes without any are absent
 * @param grpcStatuses completed gRPC calls by status; those without any are absent
 * @param latency of the completed requests in microseconds, failed ones included; empty when none completed
 * @param upstreamLatency of those that were sent to the instance and answered, in microseconds: from the first byte to the
 *        instance to the last byte from it; empty when there are none
 * @param received bytes of the bodies of the completed requests
 * @param sent bytes of the bodies of the answers
 * @param inFlight requests sent and not ended when the window ended
 * @param overdue one for each latency limit of the run on the service
 */
public record RequestCounts(long started, long outside, long completed, long completedRecords,
        Map<ErrorClass, Long> errors, Map<Integer, Long> grpcStatuses, Optional<Histogram> latency,
        Optional<Histogram> upstreamLatency, long received, long sent, long inFlight, List<OverdueCount> overdue) {

    public RequestCounts {
        errors = Map.copyOf(errors);
        grpcStatuses = Map.copyOf(grpcStatuses);
        overdue = List.copyOf(overdue);
    }
}
