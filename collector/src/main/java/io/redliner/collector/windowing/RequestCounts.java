// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The requests of one instance in one window. Where proxies report a sample only, each record counts as the requests that it
 * stands for.
 *
 * @param started requests sent to the instance in this window
 * @param outside requests among those started that the lease in force does not cover
 * @param completed requests that ended in this window, failed ones included, cancelled ones not
 * @param completedRecords number of records that {@code completed} is made from
 * @param errors failed requests by class; classes without any are absent
 * @param latency of the completed requests in microseconds, failed ones included, streams not; empty when there are none
 * @param firstByte time to the first byte of the answer in microseconds, of the completed requests with an answer, streams
 * included; empty when there are none
 * @param cancelled requests that ended in this window because the user hung up
 * @param unanswered ages in microseconds of the cancelled requests without any header of an answer; empty when there are none
 * @param streams long streams among the completed requests
 * @param inFlight requests sent and not ended when the window ended, streams not included
 * @param overdue one for each latency limit of the run on the service
 */
public record RequestCounts(long started, long outside, long completed, long completedRecords,
        Map<RequestError, Long> errors, Optional<Histogram> latency, Optional<Histogram> firstByte, long cancelled,
        Optional<Histogram> unanswered, long streams, long inFlight, List<OverdueCount> overdue) {

    public RequestCounts {
        errors = Map.copyOf(errors);
        overdue = List.copyOf(overdue);
    }
}
