// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.redliner.collector.windowing.InFlightEvictionReason;
import io.redliner.collector.windowing.RecordDropReason;
import io.redliner.collector.windowing.RecordKind;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowMetrics;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every record of the access logs went. */
final class AccessLogMetrics implements MeterBinder {

    private final WindowAggregator windows;

    private final AccessLogLedger streams;

    AccessLogMetrics(WindowAggregator windows, AccessLogLedger streams) {
        this.windows = windows;
        this.streams = streams;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (RecordKind kind : RecordKind.values()) {
            records(registry, kind, "received", ledger -> ledger.received(kind));
            records(registry, kind, "published", ledger -> ledger.published(kind));
            for (RecordDropReason reason : RecordDropReason.values()) {
                records(registry, kind, "dropped_" + label(reason), ledger -> ledger.dropped(kind, reason));
            }
            Gauge.builder("redliner.access.log.records.pending", windows, all -> all.pending(kind))
                    .tag("kind", label(kind)).description("Records in windows that are not sealed yet")
                    .register(registry);
        }
        for (InFlightEvictionReason reason : InFlightEvictionReason.values()) {
            FunctionCounter.builder("redliner.requests.forgotten", windows.ledger(), all -> all.forgotten(reason))
                    .tag("reason", label(reason)).description("Requests in flight that are no longer followed")
                    .register(registry);
        }
        stream(registry, "redliner.access.log.ignored", AccessLogLedger::ignoredEntries);
        stream(registry, "redliner.access.log.streams.anonymous", AccessLogLedger::anonymousStreams);
        stream(registry, "redliner.access.log.streams.broken", AccessLogLedger::brokenStreams);
        Gauge.builder("redliner.access.log.streams", windows, WindowAggregator::streams).register(registry);
        Gauge.builder("redliner.requests.in.flight", windows, WindowAggregator::inFlight).register(registry);
    }

    private void records(MeterRegistry registry, RecordKind kind, String result,
            ToDoubleFunction<WindowMetrics> count) {
        FunctionCounter.builder("redliner.access.log.records", windows.ledger(), count).tag("kind", label(kind))
                .tag("result", result).description("Starts and ends of requests, by where they went")
                .register(registry);
    }

    private void stream(MeterRegistry registry, String name, ToDoubleFunction<AccessLogLedger> count) {
        FunctionCounter.builder(name, streams, count).register(registry);
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
