// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import static io.redliner.analyzer.windowing.Observations.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A rule relative to the baseline, in a run with noise for two of each ten seconds. */
class RelativeRuleBesideNoiseTest {

    private static final List<Rule> SLA = List.of(
            new RuleCompiler().compile("relative", "latency.p99 <= 2 * baseline.latency.p99", false));

    private static final double NATURAL = 100;

    private static final int USUAL_MILLIS = 10;

    private static final int NOISY_MILLIS = 14;

    private final RunAnalyzer analysis = RunAnalyzer.begin(run(Stage.WAITING),
            new NoiseGate(SearchSettings.defaults()));

    /** Load of the next window, requests/s: that of the advice before the last one. */
    private double load = NATURAL;

    /** Largest baseline of the last ten seconds. */
    private double largestMillis;

    private WindowResult last = analysis.next(window(USUAL_MILLIS), 1_000);

    @Test
    void after_noise_the_baseline_is_of_quiet_time() {
        for (int time = 0; time < 9; time++) {
            tenSeconds(NOISY_MILLIS);
        }
        assertThat(analysis.state().search().besideNeighbours()).isTrue();
        double noisyMillis = baselineMillis();
        assertThat(noisyMillis).isGreaterThan(1.3 * USUAL_MILLIS);

        for (int time = 0; time < 9; time++) {
            tenSeconds(USUAL_MILLIS);
            assertThat(largestMillis).isLessThanOrEqualTo(noisyMillis);
        }

        assertThat(analysis.state().search().besideNeighbours()).isFalse();
        assertThat(last.advice().phase()).isEqualTo(SearchAdvice.Phase.RAMPING);
        assertThat(baselineMillis()).isLessThan(1.1 * USUAL_MILLIS);
    }

    @Test
    void the_baseline_of_a_quiet_run_is_measured_once() {
        for (int time = 0; time < 7; time++) {
            tenSeconds(USUAL_MILLIS);
        }
        assertThat(last.advice().phase()).isEqualTo(SearchAdvice.Phase.RAMPING);
        var baseline = analysis.state().baseline();

        tenSeconds(USUAL_MILLIS);

        assertThat(analysis.state().baseline()).isEqualTo(baseline);
    }

    private double baselineMillis() {
        return analysis.state().baseline().orElseThrow().latency().getValueAtPercentile(99) / 1e3;
    }

    private void tenSeconds(int lastMillis) {
        largestMillis = 0;
        for (int second = 0; second < 10; second++) {
            double next = Math.max(NATURAL, analysis.state().search().advice().requestsPerSecond());
            analysis.update(run(last.advice().phase() == SearchAdvice.Phase.BASELINE
                    ? Stage.BASELINE
                    : Stage.FOLLOWING));
            last = analysis.next(window(second < 8 ? USUAL_MILLIS : lastMillis), 1_000);
            load = next;
            largestMillis = Math.max(largestMillis, baselineMillis());
        }
    }

    private ServiceWindow window(int millis) {
        var instances = new TreeMap<String, InstanceMeasurements>();
        long sutsMillis = Math.round(millis * Math.pow(load / NATURAL, 2));
        instances.put("sut:1", new InstanceMeasurements(requests(Math.round(load), sutsMillis), 1));
        List.of("one:1", "two:1", "three:1")
                .forEach(peer -> instances.put(peer, new InstanceMeasurements(requests(300, millis), 3)));
        return new ServiceWindow(0, Duration.ofSeconds(1), instances, Map.of());
    }

    private static RunContext run(Stage stage) {
        return new RunContext("service", "run", 1, stage, new SlaSpec("sut:1", SLA, List.of()), Duration.ofSeconds(1),
                0.1, 0.9, 0);
    }
}
