// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage.Identifier;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream of one proxy. Its first message names the service; gRPC calls it from one thread at a time. */
final class AccessLogStream implements StreamObserver<StreamAccessLogsMessage> {

    private static final Logger log = LoggerFactory.getLogger(AccessLogStream.class);

    /** Maximum number of records that are kept for reuse by the next message. */
    private static final int MAX_KEPT = 1_024;

    private final WindowAggregator windows;

    private final AccessLogMetrics metrics;

    private final InstantSource clock;

    private final StreamObserver<StreamAccessLogsResponse> responses;

    private final AccessLogEntryDecoder decoder = new AccessLogEntryDecoder();

    /** The records of the current message; later messages use the same objects. */
    private final List<RequestRecord> records = new ArrayList<>();

    private @Nullable RequestRecordStream stream;

    private boolean refused;

    private boolean warned;

    AccessLogStream(WindowAggregator windows, AccessLogMetrics metrics, InstantSource clock,
            StreamObserver<StreamAccessLogsResponse> responses) {
        this.windows = windows;
        this.metrics = metrics;
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
                metrics.refuseAnonymousStream();
                responses.onError(Status.INVALID_ARGUMENT
                        .withDescription("the first message needs an identifier whose log_name is the service")
                        .asRuntimeException());
                return;
            }
            stream = windows.open(identifier.getLogName(), identifier.getNode().getId(), now);
            log.info("Proxy {} reports service {}", stream.node(), stream.service());
        }
        metrics.ignore(message.getTcpLogs().getLogEntryCount());
        int decoded = decode(message.getHttpLogs().getLogEntryList());
        windows.accept(stream, records.subList(0, decoded), now);
        if (stream.isUnknown() && !warned) {
            warned = true;
            log.warn("Proxy {} reports service {}, and no redirector knows it: nothing that it reports counts",
                    stream.node(), stream.service());
        }
        if (records.size() > MAX_KEPT) {
            records.subList(MAX_KEPT, records.size()).clear();
        }
    }

    /** Decodes the entries into the first records of the list, and returns how many those are. */
    private int decode(List<HTTPAccessLogEntry> entries) {
        int decoded = 0;
        for (HTTPAccessLogEntry entry : entries) {
            if (decoded == records.size()) {
                records.add(new RequestRecord());
            }
            if (decoder.decode(entry, records.get(decoded))) {
                decoded++;
            } else if (decoder.dropReason() == null) {
                metrics.ignore(1);
            } else {
                windows.reject(AccessLogEntryDecoder.kind(entry), decoder.dropReason());
            }
        }
        return decoded;
    }

    @Override
    public void onError(Throwable failure) {
        metrics.breakStream();
        close(true, String.valueOf(failure.getMessage()));
    }

    @Override
    public void onCompleted() {
        close(false, "done");
        if (!refused) {
            responses.onNext(StreamAccessLogsResponse.getDefaultInstance());
            responses.onCompleted();
        }
    }

    private void close(boolean broken, String reason) {
        if (stream != null) {
            windows.close(stream, broken, clock.instant());
            log.info("Proxy {} no longer reports service {}: {}", stream.node(), stream.service(), reason);
        }
    }
}
