// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.evaluation.WindowEvaluator;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.state.SnapshotCodec;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunStatisticsTest {

    private final WindowEvaluator judge = new WindowEvaluator(new SlaSpec("10.0.0.0:80", List.of(), List.of()));

    @Test
    void nothing_is_lost_when_blocks_are_merged() {
        var evidence = RunStatistics.NONE;
        long started = 0;
        for (int i = 0; i < 1_000; i++) {
            started += 100 + i % 300;
            evidence = after(evidence, window(i, 100 + i % 300, Map.of("cpu", i % 2 == 0 ? 0.2 : 0.4)), 100 + i % 300);
        }

        assertThat(evidence.blocks()).hasSizeLessThanOrEqualTo(RunStatistics.MAX_SEGMENTS);
        assertThat(evidence.sut().started()).isEqualTo(started);
        assertThat(evidence.sut().seconds()).isEqualTo(1_000, within(1e-6));
        double mean = evidence.blocks().stream().flatMap(block -> block.level(KnownGauge.CPU).stream())
                .mapToDouble(level -> level.mean() * level.windows()).sum() / 1_000;
        assertThat(mean).isEqualTo(0.3, within(1e-3));
    }

    @Test
    void the_blocks_keep_the_loads_apart() {
        var evidence = RunStatistics.NONE;
        for (int i = 0; i < 600; i++) {
            evidence = after(evidence, window(i, i < 300 ? 100 : 400, Map.of()), i < 300 ? 100 : 400);
        }

        assertThat(evidence.blocks()).allSatisfy(block -> assertThat(block.sut().requestsPerSecond()).satisfiesAnyOf(
                load -> assertThat(load).isEqualTo(100, within(1e-6)),
                load -> assertThat(load).isEqualTo(400, within(1e-6))));
    }

    @Test
    void a_day_of_a_large_fleet_with_every_gauge_and_long_names_stays_below_96_kibibytes() {
        var gauges = new HashMap<String, Double>();
        for (var gauge : KnownGauge.values()) {
            gauges.put(gauge.gaugeName(), Math.PI / 3);
        }
        // Collectors report these by their parts alone.
        gauges.keySet().removeAll(
                Set.of("sockets.case", "threads.runnable", "process.program", "pauses.rate", "pauses.time"));
        var causes = List.of("garbage-collection", "operating-system", "safepoint");
        var shortNames = Map.of(KnownGauge.SOCKETS_CASE, List.of("slow-client", "slow-network", "slow-server"),
                KnownGauge.PAUSES_RATE, causes, KnownGauge.PAUSES_TIME, causes);
        shortNames.forEach((gauge, parts) -> parts.forEach(part -> gauges.put(gauge.part(part), Math.E / 7)));
        for (var gauge : KnownGauge.values()) {
            for (int i = 0; i < (KnownGauge.withNamedPart(gauge.part("x")).isEmpty() || shortNames.containsKey(gauge)
                    ? 0
                    : 20); i++) {
                String part = gauge.part("x");
                gauges.put(gauge.part("org.example.monitor.".repeat(5).substring(0, 99 - part.length()) + (10 + i)),
                        Math.E / 7);
            }
        }
        var evidence = RunStatistics.NONE;
        for (int i = 0; i < 86_400; i += 97) {
            evidence = after(evidence, window(i, 100 + i % 317, gauges, 100), 100 + i % 317);
        }

        assertThat(SnapshotCodec.write(evidence).length).isBetween(20 * 1024, 96 * 1024);
    }

    @Test
    void the_traces_of_slow_requests_take_the_place_of_no_gauge() {
        var evidence = RunStatistics.NONE;
        for (int i = 0; i < 20; i++) {
            evidence = after(evidence,
                    window(i, 100, Map.of("orders", 3.0, "requests.slowest[%016x]".formatted(i), 0.5)),
                    100);
        }

        assertThat(evidence.gauges()).containsExactly("orders");
    }

    @Test
    void windows_that_were_never_judged_are_counted() {
        var evidence = after(after(RunStatistics.NONE, window(10, 100, Map.of()), 100), window(15, 100, Map.of()), 100);

        assertThat(evidence.coverage().skipped()).isEqualTo(4);
        assertThat(evidence.coverage().windows()).isEqualTo(2);
    }

    @Test
    void after_the_end_of_the_search_nothing_is_added() {
        var evidence = after(RunStatistics.NONE, window(1, 100, Map.of()), 100);
        var ended = new SearchAdvice(SearchAdvice.Action.DONE, 0, SearchAdvice.Phase.ENDED, "", 1, Optional.empty());
        var window = window(2, 100, Map.of());

        assertThat(evidence.after(window, judge.judge(window, Optional.empty()), true, ended, setting()))
                .isSameAs(evidence);
    }

    @Test
    void the_load_asked_for_counts_only_when_it_has_settled_and_can_be_had() {
        var evidence = RunStatistics.NONE;
        for (int i = 0; i < 10; i++) {
            evidence = after(evidence, window(i, 50, Map.of()), 100);
        }
        assertThat(asked(evidence)).isZero();

        for (int i = 10; i < 20; i++) {
            evidence = after(evidence, window(i, 100, Map.of()), 100);
        }
        assertThat(asked(evidence)).isEqualTo(1_000);

        for (int i = 20; i < 40; i++) {
            evidence = after(evidence, window(i, 900, Map.of()), 990);
        }
        assertThat(asked(evidence)).isEqualTo(1_000);
    }

    private static double asked(RunStatistics evidence) {
        return evidence.blocks().stream().mapToDouble(block -> block.delivery().asked()).sum();
    }

    private RunStatistics after(RunStatistics evidence, ServiceWindow window, double asked) {
        return evidence.after(window, judge.judge(window, Optional.empty()), true,
                new SearchAdvice(SearchAdvice.Action.HOLD, asked, SearchAdvice.Phase.RAMPING, "", 1, Optional.empty()),
                setting());
    }

    private static LoadBounds setting() {
        return new LoadBounds("10.0.0.0:80", 0.25, 1_000);
    }

    private static ServiceWindow window(int second, long started, Map<String, Double> gauges) {
        return window(second, started, gauges, 2);
    }

    private static ServiceWindow window(int second, long started, Map<String, Double> gauges, int fleet) {
        var histogram = new Histogram(3);
        histogram.recordValueWithCount(10_007, started);
        var measured = new WindowStats(Duration.ofSeconds(1), started, started, 0, 0, histogram, List.of(), gauges);
        var instances = new HashMap<String, InstanceMeasurements>();
        for (int i = 0; i < fleet; i++) {
            instances.put("10.0.0." + i + ":80", new InstanceMeasurements(measured, 3));
        }
        return new ServiceWindow(1_790_000_000_000L + 1_000L * second, Duration.ofSeconds(1), instances, Map.of());
    }
}
