// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage.Identifier;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.redliner.collector.windowing.RecordDropReason;
import io.redliner.collector.windowing.RecordKind;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream of one proxy. Its first message says whose it is; gRPC calls it from one thread at a time. */
final class AccessLogStream implements StreamObserver<StreamAccessLogsMessage> {

    private static final Logger log = LoggerFactory.getLogger(AccessLogStream.class);

    private final WindowAggregator windows;

    private final AccessLogLedger ledger;

    private final ProxyClockSkewDetector clocks;

    private final InstantSource clock;

    private final StreamObserver<StreamAccessLogsResponse> responses;

    private final AccessLogEntryDecoder reader = new AccessLogEntryDecoder();

    private @Nullable RequestRecordStream stream;

    private boolean refused;

    private boolean warned;

    /** Of the ends in one message; a start may have waited long for a connection. */
    private long newestMicros;

    AccessLogStream(WindowAggregator windows, AccessLogLedger ledger, ProxyClockSkewDetector clocks,
            InstantSource clock,
            StreamObserver<StreamAccessLogsResponse> responses) {
        this.windows = windows;
        this.ledger = ledger;
        this.clocks = clocks;
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
        Iterator<HTTPAccessLogEntry> entries = message.getHttpLogs().getLogEntryList().iterator();
        newestMicros = 0;
        windows.accept(stream, report -> next(entries, report), now);
        if (stream.isUnknown() && !warned) {
            warned = true;
            log.warn("Proxy {} reports service {}, and no redirector knows it: nothing that it reports counts",
                    stream.node(), stream.service());
        }
        if (newestMicros > 0) {
            clocks.saw(stream.node(), newestMicros, now);
        }
    }

    private boolean next(Iterator<HTTPAccessLogEntry> entries, RequestRecord report) {
        while (entries.hasNext()) {
            HTTPAccessLogEntry entry = entries.next();
            switch (reader.read(entry, report)) {
                case REQUEST -> {
                    if (report.kind() == RecordKind.END) {
                        newestMicros = Math.max(newestMicros, report.atMicros());
                    }
                    return true;
                }
                case NO_UPSTREAM -> windows.reject(AccessLogEntryDecoder.kind(entry), RecordDropReason.NO_UPSTREAM);
                case MALFORMED -> windows.reject(AccessLogEntryDecoder.kind(entry), RecordDropReason.MALFORMED);
                case IGNORED -> ledger.ignoreEntries(1);
            }
        }
        return false;
    }

    @Override
    public void onError(Throwable failure) {
        ledger.breakStream();
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
