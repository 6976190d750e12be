// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Over thirty seeds each: how near the answer is to the truth, what it costs, and what it never does. */
class SteppingSearchAccuracyTest {

    private static final int SEEDS = Integer.getInteger("seeds", 30);

    /** The settings were tuned on the seeds from 0 and the first four kinds. */
    private static final int FIRST_SEED = Integer.getInteger("firstSeed", 0);

    private static final double LARGEST_SHARE = 0.6;

    @ParameterizedTest(name = "{0} workers, {1} s")
    @CsvSource({"4, 0.020, 0.5, 0.100", "8, 0.010, 0.7, 0.050", "16, 0.020, 1.0, 0.120", "4, 0.025, 0.3, 0.080",
        "6, 0.015, 0.6, 0.070", "12, 0.030, 0.8, 0.150"})
    void the_answer_is_near_the_true_capacity(int workers, double meanSeconds, double variation, double limitSeconds) {
        var kind = new SimulatedServer.Kind(workers, meanSeconds, variation, limitSeconds, 200);
        double truth = kind.trueCapacity();
        List<Rule> sla = sla(limitSeconds);

        var runs = new ArrayList<Result>();
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            double natural = truth * (0.55 + 0.05 * (seed % 2));
            var run = new SimulatedRun(kind, new SteppingSearch(SearchSettings.defaults(), sla, 2), sla, natural, 4,
                    LARGEST_SHARE, 1000 + 7919L * seed);
            runs.add(new Result(run, run.run(), truth));
        }

        System.out.println(new Summary(kind, truth, runs));
        if (Boolean.getBoolean("detail")) {
            runs.forEach(System.out::println);
        }
        var summary = new Summary(kind, truth, runs);
        assertThat(runs).allSatisfy(result -> {
            assertThat(result.advice().action()).isEqualTo(Advice.Action.DONE);
            assertThat(result.run().largestShareOrdered()).isLessThanOrEqualTo(LARGEST_SHARE);
        });
        assertThat(summary.overloaded()).as("runs with more than four windows in a row at 1.2 times the capacity")
                .isLessThanOrEqualTo(SEEDS / 20);
        assertThat(summary.quantile(0.5)).as("median error").isLessThanOrEqualTo(0.035);
        assertThat(summary.quantile(0.95)).as("95 % of the errors").isLessThanOrEqualTo(0.09);
        assertThat(summary.seconds()).as("mean duration in s").isLessThanOrEqualTo(180);
    }

    @ParameterizedTest(name = "{0} times the capacity")
    @CsvSource({"1.25, 5", "1.5, 3", "2.0, 2"})
    void load_beyond_the_capacity_is_shed_within_the_reaction_of_the_alarm(double overload, int windows) {
        var kind = new SimulatedServer.Kind(8, 0.010, 0.7, 0.050, 200);
        double truth = kind.trueCapacity();
        for (int seed = 0; seed < SEEDS; seed++) {
            var server = new SimulatedServer(kind, 31L * seed);
            var search = new SteppingSearch(SearchSettings.defaults(), sla(0.050), 2);
            var state = search.begin();
            while (state.advice().phase() == Advice.Phase.BASELINE) {
                state = search.advise(state, SimulatedRun.window(server, sla(0.050), truth / 2, truth / 2, 2 * truth));
            }

            int passed = 0;
            while (state.advice().action() != Advice.Action.SHED) {
                state = search.advise(state,
                        SimulatedRun.window(server, sla(0.050), overload * truth, truth / 2, 2 * truth));
                passed++;
            }

            assertThat(passed).isLessThanOrEqualTo(windows);
        }
    }

    private static List<Rule> sla(double limitSeconds) {
        var compiler = new RuleCompiler();
        return List.of(
                compiler.compile("latency", "latency.p99 <= duration('" + Math.round(limitSeconds * 1000) + "ms')",
                        false),
                compiler.compile("errors", "error_rate <= 0.01", false));
    }

    record Result(SimulatedRun run, Advice advice, double truth) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "  %+.1f %% %s%n     %s", 100 * error(), advice, run.moments.stream()
                    .filter(moment -> moment.advice().action() != Advice.Action.HOLD)
                    .map(moment -> String.format(Locale.ROOT, "%n     %.0f %s %.2f %s", moment.second(),
                            moment.advice().action(), moment.advice().requestsPerSecond() / truth,
                            moment.advice().reason()))
                    .toList());
        }

        double error() {
            return advice.estimate().map(estimate -> estimate.capacity() / truth - 1).orElse(-1.0);
        }

        boolean covers() {
            return advice.estimate().filter(estimate -> estimate.low() <= truth && truth <= estimate.high())
                    .isPresent();
        }
    }

    record Summary(SimulatedServer.Kind kind, double truth, List<Result> results) {

        double quantile(double part) {
            var errors = results.stream().map(result -> Math.abs(result.error())).sorted().toList();
            return errors.get((int) Math.max(0, Math.ceil(part * errors.size()) - 1));
        }

        long overloaded() {
            return results.stream().filter(result -> result.run().longestOverload(1.2 * truth) > 4).count();
        }

        int overload() {
            return results.stream().mapToInt(result -> result.run().longestOverload(1.2 * truth)).max().orElse(0);
        }

        double seconds() {
            return results.stream().mapToDouble(result -> result.run().seconds()).average().orElse(0);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT,
                    "%s true %.1f/s: |error| median %.1f %% p95 %.1f %% mean %+.1f %%, done %d of %d, covered %.0f %%,"
                            + " %.0f s, harm %.0f, at 1.2 times for %d windows at most, over 4 in %d runs",
                    kind, truth, 100 * quantile(0.5), 100 * quantile(0.95),
                    100 * results.stream().mapToDouble(Result::error).average().orElse(0),
                    results.stream().filter(result -> result.advice().action() == Advice.Action.DONE).count(),
                    results.size(),
                    100 * results.stream().mapToInt(result -> result.covers() ? 1 : 0).average().orElse(0),
                    seconds(), results.stream().mapToDouble(result -> result.run().harm()).average().orElse(0),
                    overload(),
                    overloaded());
        }
    }
}
