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
 * @param outside of those started, requests that the lease in force did not speak of
 * @param completed requests that ended in this window, failed ones included, those that the user cancelled not
 * @param completedRecords how many records {@code completed} is made from
 * @param errors failed requests by class; classes without any are absent
 * @param latency of the completed requests in microseconds, failed ones included, streams not; empty when there are none
 * @param firstByte of the completed requests with an answer, streams included, in microseconds: to the first byte of it; empty when
 *        there are none
 * @param cancelled requests that ended in this window because the user hung up
 * @param unanswered ages in microseconds of those cancelled requests that no header of an answer had come for; empty when there are none
 * @param streams of the completed requests, long streams
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
