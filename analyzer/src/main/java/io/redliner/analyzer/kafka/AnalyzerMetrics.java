// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.redliner.analyzer.run.WindowResult;
import io.redliner.analyzer.windowing.IngestResult;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The analyzer's metrics:
 *
 * <ul>
 * <li>{@code redliner_observations_total{result}}: each observation received is in one result: accepted, late,
 * duplicate, again, early, other_length, malformed
 * <li>{@code redliner_observations_missing_total}: sent and not received, by the gaps in their sequences
 * <li>{@code redliner_analyzer_runs_total{result}}: each run record received: accepted, stale, malformed
 * <li>{@code redliner_records_parked_total{reason}}: records that could not be used, see {@link DeadLetterHandler.Reason}
 * <li>{@code redliner_analyzer_takeovers_total{result}}: live runs that were found when work was assigned: resumed, lost
 * <li>{@code redliner_analyzer_state_bytes}: size of the state stored for a live run after a window, without the observations
 * of its open windows
 * <li>{@code redliner_analyzer_behind_seconds{partition}}: how far behind the clock windows are judged, because there are older
 * observations to read
 * <li>{@code redliner_windows_judged_total{judgement}}
 * <li>{@code redliner_sla_value{service,rule}} and {@code redliner_sla_threshold{service,rule}}: NaN without data, and
 * absent without a run
 * </ul>
 */
public final class AnalyzerMetrics {

    private record Key(String service, String rule, String name) {}

    private static final class Reading {
        private volatile double value = Double.NaN;
    }

    private static final String BEHIND = "redliner.analyzer.behind.seconds";

    private final MeterRegistry registry;

    /** Lag behind the clock, by partition. */
    private final Map<Integer, Reading> behind = new ConcurrentHashMap<>();

    private final DistributionSummary stateBytes;

    /** Counters by result, looked up once because every observation is counted. */
    private final Map<IngestResult, Counter> ingestCounters = new EnumMap<>(IngestResult.class);

    private final Map<Key, Reading> readings = new ConcurrentHashMap<>();

    /** Registers the metrics. */
    public AnalyzerMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.stateBytes = DistributionSummary.builder("redliner.analyzer.state").baseUnit("bytes").register(registry);
        for (var ingestResult : IngestResult.values()) {
            ingestCounters.put(ingestResult, registry.counter("redliner.observations", "result",
                    ingestResult.name().toLowerCase(Locale.ROOT)));
        }
    }

    void received(IngestResult ingestResult) {
        Objects.requireNonNull(ingestCounters.get(ingestResult)).increment();
    }

    void malformedObservation() {
        registry.counter("redliner.observations", "result", "malformed").increment();
    }

    void missing(long observations) {
        if (observations > 0) {
            registry.counter("redliner.observations.missing").increment((double) observations);
        }
    }

    void parked(DeadLetterHandler.Reason reason) {
        registry.counter("redliner.records.parked", "reason", reason.label()).increment();
    }

    void takeover(String result) {
        registry.counter("redliner.analyzer.takeovers", "result", result).increment();
    }

    /** Records the size of a stored state. */
    public void stateStored(int bytes) {
        stateBytes.record(bytes);
    }

    void behind(int partition, double seconds) {
        behind.computeIfAbsent(partition, unused -> register(BEHIND, tags(partition))).value = seconds;
    }

    /** Removes the gauges of a partition that this analyzer no longer owns. */
    void forget(int partition) {
        behind.remove(partition);
        registry.find(BEHIND).tags(tags(partition)).gauges().forEach(registry::remove);
    }

    private static Tags tags(int partition) {
        return Tags.of("partition", Integer.toString(partition));
    }

    void runRecord(String result) {
        registry.counter("redliner.analyzer.runs", "result", result).increment();
    }

    void windowJudged(WindowResult windowResult) {
        registry.counter("redliner.windows.judged", "judgement",
                windowResult.evaluation().sla().judgement().name().toLowerCase(Locale.ROOT)).increment();
        String service = windowResult.run().service();
        for (var outcome : windowResult.evaluation().sla().rules()) {
            setGauge(new Key(service, outcome.rule().name(), "redliner.sla.value"), outcome.comparison().value());
            setGauge(new Key(service, outcome.rule().name(), "redliner.sla.threshold"),
                    outcome.comparison().threshold());
        }
    }

    void noRun(String service) {
        readings.keySet().removeIf(key -> {
            boolean ofService = key.service().equals(service);
            if (ofService) {
                registry.find(key.name()).tags("service", key.service(), "rule", key.rule()).gauges()
                        .forEach(registry::remove);
            }
            return ofService;
        });
    }

    private void setGauge(Key key, OptionalDouble value) {
        readings.computeIfAbsent(key,
                it -> register(it.name(), Tags.of("service", it.service(), "rule", it.rule()))).value = value
                        .orElse(Double.NaN);
    }

    private Reading register(String name, Tags tags) {
        var reading = new Reading();
        Gauge.builder(name, reading, it -> it.value).tags(tags).strongReference(true).register(registry);
        return reading;
    }
}
