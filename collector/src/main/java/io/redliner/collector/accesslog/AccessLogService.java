// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.service.accesslog.v3.AccessLogServiceGrpc;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.stub.StreamObserver;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Envoy's access log service: each worker thread of each proxy keeps one stream for each service it logs. */
final class AccessLogService extends AccessLogServiceGrpc.AccessLogServiceImplBase {

    private final WindowAggregator windows;

    private final AccessLogMetrics metrics;

    private final InstantSource clock;

    private final ProxyClockSkewDetector clocks = new ProxyClockSkewDetector();

    AccessLogService(WindowAggregator windows, AccessLogMetrics metrics, InstantSource clock) {
        this.windows = windows;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public StreamObserver<StreamAccessLogsMessage> streamAccessLogs(
            StreamObserver<StreamAccessLogsResponse> responses) {
        return new AccessLogStream(windows, metrics, clocks, clock, responses);
    }

    /** For people. */
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

    /** What is wrong with the clocks of proxies, in words. */
    Map<String, String> clockOddities() {
        return clocks.oddities(clock.instant());
    }
}
