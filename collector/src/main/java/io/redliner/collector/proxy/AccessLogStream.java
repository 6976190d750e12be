// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage.Identifier;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.redliner.collector.window.ProxyStream;
import io.redliner.collector.window.RequestRecord;
import io.redliner.collector.window.Windows;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream of one proxy. Its first message says whose it is; gRPC calls it from one thread at a time. */
final class AccessLogStream implements StreamObserver<StreamAccessLogsMessage> {

    private static final Logger log = LoggerFactory.getLogger(AccessLogStream.class);

    private final Windows windows;

    private final AccessLogLedger ledger;

    private final InstantSource clock;

    private final StreamObserver<StreamAccessLogsResponse> responses;

    private @Nullable ProxyStream stream;

    private boolean refused;

    AccessLogStream(Windows windows, AccessLogLedger ledger, InstantSource clock,
            StreamObserver<StreamAccessLogsResponse> responses) {
        this.windows = windows;
        this.ledger = ledger;
        this.clock = clock;
        this.responses = responses;
    }

    @Override
    public void onNext(StreamAccessLogsMessage message) {
        if (refused) {
            return;
        }
        Instant now = clock.instant();
        if (stream == null) {
            Identifier identifier = message.getIdentifier();
            if (identifier.getLogName().isEmpty()) {
                refused = true;
                ledger.refuseAnonymousStream();
                responses.onError(Status.INVALID_ARGUMENT
                        .withDescription("the first message needs an identifier whose log_name is the service")
                        .asRuntimeException());
                return;
            }
            stream = windows.open(identifier.getLogName(), identifier.getNode().getId(), now);
            log.info("Proxy {} reports service {}", stream.node(), stream.service());
        }
        ledger.ignoreEntries(message.getTcpLogs().getLogEntryCount());
        windows.accept(stream, read(message.getHttpLogs().getLogEntryList()), now);
    }

    private List<RequestRecord> read(List<HTTPAccessLogEntry> entries) {
        List<RequestRecord> requests = new ArrayList<>(entries.size());
        for (HTTPAccessLogEntry entry : entries) {
            switch (EntryReader.read(entry)) {
                case Reading.Request(RequestRecord request) -> requests.add(request);
                case Reading.Rejected(var kind, var reason) -> windows.reject(kind, reason);
                case Reading.Ignored() -> ledger.ignoreEntries(1);
            }
        }
        return requests;
    }

    @Override
    public void onError(Throwable failure) {
        ledger.breakStream();
        close(String.valueOf(failure.getMessage()));
    }

    @Override
    public void onCompleted() {
        close("done");
        if (!refused) {
            responses.onNext(StreamAccessLogsResponse.getDefaultInstance());
            responses.onCompleted();
        }
    }

    private void close(String reason) {
        if (stream != null) {
            windows.close(stream, clock.instant());
            log.info("Proxy {} no longer reports service {}: {}", stream.node(), stream.service(), reason);
        }
    }
}
