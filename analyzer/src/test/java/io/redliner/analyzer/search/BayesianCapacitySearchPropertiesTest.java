// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchAdvice.Phase;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** What holds of the search after every window, whatever the server, the traffic and the telemetry do. */
class BayesianCapacitySearchPropertiesTest {

    @Property(tries = 25)
    void its_advice_is_within_bounds_and_it_comes_to_an_end(@ForAll Random random,
            @ForAll @IntRange(min = 1, max = 24) int workers,
            @ForAll @DoubleRange(min = 0.2, max = 2.5) double variation, @ForAll @IntRange(max = 400) int queueBound,
            @ForAll @DoubleRange(min = 0.2, max = 0.9) double use,
            @ForAll @DoubleRange(min = 0.15, max = 0.9) double largestShare,
            @ForAll boolean fine, @ForAll @DoubleRange(max = 0.1) double silence,
            @ForAll @DoubleRange(max = 0.02) double contention) {
        var kind = new SimulatedServer.Kind(workers, 0.02, variation, 0.15, queueBound, contention,
                1 + random.nextInt(3));
        var run = new SimulatedRun(kind, SimulatedRun.sla("latency.p99 <= duration('150ms')", "error_rate <= 0.005",
                "cpu <= 0.85"), fine ? 0.2 : 1, use * kind.saturation(), 0.15, largestShare, random.nextLong());
        run.events = (second, moment) -> {
            run.silent = random.nextDouble() < silence;
            run.traffic = Math.clamp(run.traffic + 0.01 * random.nextGaussian(), 0.3, 2);
            if (random.nextInt(200) == 0) {
                run.server.pause(3 * random.nextDouble());
            }
            if (random.nextInt(200) == 0) {
                run.server.slowDown(0.5 + 2 * random.nextDouble());
            }
        };

        var last = run.follow(new BayesianCapacitySearch(SearchSettings.defaults()));

        assertThat(last.phase()).as("it ends").isEqualTo(Phase.ENDED);
        var before = new SearchAdvice(Action.HOLD, 0, Phase.BASELINE, "", 0, Optional.empty());
        for (var moment : run.moments) {
            var advice = moment.advice();
            assertThat(advice.reason()).isNotBlank();
            assertThat(advice.step()).isGreaterThanOrEqualTo(before.step());
            assertThat(Double.isFinite(advice.requestsPerSecond())).isTrue();
            assertThat(advice.requestsPerSecond()).isNotNegative();
            if (moment.window().sla().conclusive()) {
                assertThat(advice.requestsPerSecond())
                        .isLessThanOrEqualTo(Math.max(moment.window().loads().reachable(),
                                moment.window().loads().natural()));
            } else if (advice.phase() != Phase.ENDED) {
                assertThat(advice.action()).isEqualTo(Action.HOLD);
                // Before any load is known the search stays at the natural one.
                assertThat(advice.requestsPerSecond()).isEqualTo(before.requestsPerSecond() == 0
                        ? moment.window().loads().natural()
                        : before.requestsPerSecond());
            }
            advice.estimate().ifPresent(estimate -> {
                assertThat(estimate.low()).isPositive().isLessThanOrEqualTo(estimate.capacity());
                assertThat(estimate.high()).isGreaterThanOrEqualTo(estimate.capacity());
            });
            if (advice.action() == Action.DONE || advice.action() == Action.EXHAUSTED) {
                assertThat(advice.estimate()).as("an answer").isPresent();
            }
            before = advice;
        }
    }
}
