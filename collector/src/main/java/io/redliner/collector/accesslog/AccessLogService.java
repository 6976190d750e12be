// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.service.accesslog.v3.AccessLogServiceGrpc;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.stub.StreamObserver;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Envoy's access log service: each worker thread of each proxy keeps one stream for each service it logs. */
final class AccessLogService extends AccessLogServiceGrpc.AccessLogServiceImplBase {

    /** Differences up to this one are corrected, and not reported. */
    private static final Duration TOLERATED = Duration.ofSeconds(2);

    private static final int MAX_NAMED = 100;

    private final WindowAggregator windows;

    private final AccessLogMetrics metrics;

    private final InstantSource clock;

    AccessLogService(WindowAggregator windows, AccessLogMetrics metrics, InstantSource clock) {
        this.windows = windows;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public StreamObserver<StreamAccessLogsMessage> streamAccessLogs(
            StreamObserver<StreamAccessLogsResponse> responses) {
        return new AccessLogStream(windows, metrics, clock, responses);
    }

    /** Returns the details that health shows. */
    Map<String, Object> details() {
        Map<String, Object> details = new HashMap<>(clockOddities());
        details.put("streams", windows.streams());
        details.put("brokenStreams", metrics.brokenStreams());
        unknownProxies().forEach((node, service) -> details.put(node,
                "reports " + service + ", and no redirector knows it"));
        return details;
    }

    /** Proxies that no redirector knows, with the service that they report. */
    Map<String, String> unknownProxies() {
        return windows.unknownProxies();
    }

    /** Describes the proxies whose clocks are off by more than is corrected, by node id. */
    Map<String, String> clockOddities() {
        Map<String, String> details = new TreeMap<>();
        windows.clocks(clock.instant()).forEach((node, behind) -> {
            if (behind.abs().compareTo(TOLERATED) > 0 && details.size() < MAX_NAMED) {
                details.put(node, describe(behind.toMillis() / 1e3));
            }
        });
        return details;
    }

    private static String describe(double secondsBehind) {
        return secondsBehind < 0
                ? String.format(Locale.ROOT, "sends records from %.1f s in the future: set its clock", -secondsBehind)
                : String.format(Locale.ROOT,
                        "sends records that are %.1f s old: set its clock, or its buffer_flush_interval to 0.02s",
                        secondsBehind);
    }
}
