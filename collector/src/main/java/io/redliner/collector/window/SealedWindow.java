// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * What was seen of one instance in one window; nothing is added to it any more.
 *
 * @param sequence grows by one with each window of the service
 * @param start inclusive; a multiple of the length since the epoch
 * @param started requests sent to the instance in this window
 * @param completed requests that ended in this window, failed ones included
 * @param errors failed requests by class; classes without any are absent
 * @param latency of the completed requests in microseconds, failed ones included; empty when none completed
 * @param inFlight requests sent and not ended when the window ended
 * @param overdue one for each latency limit of the run on the service
 * @param proxies live proxy streams of the service
 * @param outside of those started, requests that the lease in force did not speak of
 */
public record SealedWindow(String service, String instance, long sequence, Instant start, Duration length, long started,
        long completed, Map<ErrorClass, Long> errors, Optional<Histogram> latency, long inFlight,
        List<OverdueCount> overdue, int proxies, long outside) {

    public SealedWindow {
        errors = Map.copyOf(errors);
        overdue = List.copyOf(overdue);
    }
}
