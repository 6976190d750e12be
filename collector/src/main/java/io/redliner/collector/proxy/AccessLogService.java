// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import io.envoyproxy.envoy.service.accesslog.v3.AccessLogServiceGrpc;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.stub.StreamObserver;
import io.redliner.collector.window.Windows;
import java.time.InstantSource;

/** Envoy's access log service: each worker thread of each proxy keeps one stream for each service it logs. */
final class AccessLogService extends AccessLogServiceGrpc.AccessLogServiceImplBase {

    private final Windows windows;

    private final AccessLogLedger ledger;

    private final InstantSource clock;

    AccessLogService(Windows windows, AccessLogLedger ledger, InstantSource clock) {
        this.windows = windows;
        this.ledger = ledger;
        this.clock = clock;
    }

    @Override
    public StreamObserver<StreamAccessLogsMessage> streamAccessLogs(
            StreamObserver<StreamAccessLogsResponse> responses) {
        return new AccessLogStream(windows, ledger, clock, responses);
    }
}
