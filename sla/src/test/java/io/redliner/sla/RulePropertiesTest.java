// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static io.redliner.sla.Windows.gauges;
import static io.redliner.sla.Windows.measurements;
import static io.redliner.sla.Windows.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.HdrHistogram.Histogram;

/** What holds of rules whatever was measured. */
@PropertyDefaults(tries = Tries.DEFAULT)
class RulePropertiesTest {

    private static final Duration LIMIT = Duration.ofMillis(200);

    private static final RuleCompiler COMPILER = new RuleCompiler();

    private static final Map<String, Double> PART_ABOVE = Map.of("p50", 0.5, "p90", 0.1, "p95", 0.05, "p99", 0.01,
            "p999", 0.001, "max", 0.0);

    @Property
    void a_percentile_rule_holds_exactly_when_a_direct_count_allows_it(@ForAll("percentiles") String percentile,
            @ForAll("latencies") List<Integer> micros) {
        long slow = micros.stream().filter(it -> it > 200_000).count();
        double part = PART_ABOVE.getOrDefault(percentile, Double.NaN);

        var outcome = latency(percentile, recorded(micros));

        var proportion = outcome.proportion().orElseThrow();
        assertThat(proportion).isEqualTo(new Proportion(Proportion.Kind.SLOW, micros.size(), slow, part));
        assertThat(outcome.judgement() == Judgement.HOLDS).isEqualTo(slow <= part * micros.size() + 1e-9);
    }

    @Property
    void utilisation_is_value_by_threshold_and_above_one_exactly_when_broken(@ForAll("percentiles") String percentile,
            @ForAll("latencies") List<Integer> micros) {
        var outcome = latency(percentile, recorded(micros));

        double utilisation = outcome.utilisation().orElseThrow();
        assertThat(utilisation).isEqualTo(outcome.value().orElseThrow() / outcome.threshold().orElseThrow());
        assertThat(utilisation > 1).isEqualTo(outcome.judgement() == Judgement.BREACHED);
    }

    @Property
    void an_error_ratio_is_the_direct_count_of_errors(@ForAll @IntRange(min = 1, max = 100_000) int completed,
            @ForAll @IntRange(max = 100_000) int failed, @ForAll @IntRange(min = 1, max = 999) int allowedPerMille) {
        long errors = Math.min(failed, completed);
        double allowed = allowedPerMille / 1000.0;

        var outcome = evaluate("error_rate <= " + allowed,
                measurements(Scope.SUT, window(recorded(completed, 10_000), errors))).comparison();

        assertThat(outcome.proportion())
                .contains(new Proportion(Proportion.Kind.FAILED, completed, errors, allowed));
        assertThat(outcome.value()).hasValue((double) errors / completed);
        assertThat(outcome.judgement() == Judgement.HOLDS).isEqualTo((double) errors / completed <= allowed);
        assertThat(outcome.utilisation().orElseThrow()).isEqualTo((double) errors / completed / allowed);
    }

    @Property
    void more_slow_requests_never_improve_a_judgement(@ForAll("percentiles") String percentile,
            @ForAll("latencies") List<Integer> micros, @ForAll @IntRange(max = 50) int more,
            @ForAll @IntRange(max = 50) int hanging, @ForAll @IntRange(min = 202_000, max = 3_000_000) int slow) {
        var worse = new ArrayList<>(micros);
        for (int i = 0; i < more; i++) {
            worse.add(slow);
        }

        var before = latency(percentile, recorded(micros));
        var after = latency(percentile, recorded(worse), new OverdueRequests(LIMIT, hanging, 0));

        assertThat(rank(after.judgement())).isLessThanOrEqualTo(rank(before.judgement()));
        assertThat(after.proportion().orElseThrow().ratio())
                .isGreaterThanOrEqualTo(before.proportion().orElseThrow().ratio());
    }

    @Property
    void a_request_that_becomes_slower_never_improves_a_judgement(@ForAll("percentiles") String percentile,
            @ForAll("latencies") List<Integer> micros, @ForAll @IntRange(max = 5_000_000) int slower,
            @ForAll int index) {
        var worse = new ArrayList<>(micros);
        worse.set(Math.floorMod(index, micros.size()),
                Math.max(slower, worse.get(Math.floorMod(index, micros.size()))));

        var before = latency(percentile, recorded(micros));
        var after = latency(percentile, recorded(worse));

        assertThat(rank(after.judgement())).isLessThanOrEqualTo(rank(before.judgement()));
        assertThat(after.value().orElseThrow()).isGreaterThanOrEqualTo(before.value().orElseThrow());
    }

    @Property
    void a_hanging_request_counts_once_however_its_life_is_cut_into_windows(@ForAll("percentiles") String percentile,
            @ForAll("latencies") List<Integer> micros, @ForAll @IntRange(max = 50) int hanging) {
        var ended = new ArrayList<>(micros);
        for (int i = 0; i < hanging; i++) {
            ended.add(900_000);
        }

        var hung = window(recorded(micros), 0, new OverdueRequests(LIMIT, hanging, 0));
        var end = window(recorded(hanging, 900_000), 0, new OverdueRequests(LIMIT, 0, hanging));
        var whole = evaluate(rule(percentile), measurements(Scope.SUT, WindowStats.concatenate(List.of(hung, end))));

        assertThat(whole.comparison().proportion()).isEqualTo(latency(percentile, recorded(ended)).proportion());
        assertThat(whole.judgement()).isEqualTo(latency(percentile, recorded(ended)).judgement());
    }

    @Property
    void and_takes_the_worst_side_and_or_the_best(@ForAll("levels") Double a, @ForAll("levels") Double b) {
        var measured = level(a, b, 0.5);
        var left = evaluate("custom['a'] <= 0.5", measured);
        var right = evaluate("custom['b'] <= 0.5", measured);

        var both = evaluate("custom['a'] <= 0.5 && custom['b'] <= 0.5", measured);
        var either = evaluate("custom['a'] <= 0.5 || custom['b'] <= 0.5", measured);

        assertThat(rank(both.judgement())).isEqualTo(Math.min(rank(left.judgement()), rank(right.judgement())));
        assertThat(rank(either.judgement())).isEqualTo(Math.max(rank(left.judgement()), rank(right.judgement())));
        assertThat(List.of(left.comparison(), right.comparison())).contains(both.comparison(), either.comparison());
        if (left.judgement() == right.judgement() && left.judgement() != Judgement.INCONCLUSIVE) {
            double first = left.comparison().utilisation().orElseThrow();
            double second = right.comparison().utilisation().orElseThrow();
            assertThat(both.comparison().utilisation()).hasValue(Math.max(first, second));
            assertThat(either.comparison().utilisation()).hasValue(Math.min(first, second));
        }
    }

    @Property
    void logic_is_a_lattice_with_a_complement(@ForAll("levels") Double a, @ForAll("levels") Double b,
            @ForAll("levels") Double c) {
        var measured = level(a, b, c);
        String x = "custom['a'] <= 0.5";
        String y = "custom['b'] <= 0.5";
        String z = "custom['c'] < 0.5";

        same(measured, x + " && " + y, y + " && " + x);
        same(measured, x + " || " + y, y + " || " + x);
        same(measured, "(" + x + " && " + y + ") && " + z, x + " && (" + y + " && " + z + ")");
        same(measured, "(" + x + " || " + y + ") || " + z, x + " || (" + y + " || " + z + ")");
        same(measured, x + " && (" + x + " || " + y + ")", x);
        same(measured, x + " || (" + x + " && " + y + ")", x);
        same(measured, x + " && (" + y + " || " + z + ")", x + " && " + y + " || " + x + " && " + z);
        same(measured, "!(" + x + " && " + y + ")", "!(" + x + ") || !(" + y + ")");
        same(measured, "!(" + x + " || " + y + ")", "!(" + x + ") && !(" + y + ")");
        same(measured, "!!(" + x + ")", x);
    }

    private static void same(ScopedStats measured, String one, String other) {
        assertThat(evaluate(one, measured).judgement()).as(one + " as " + other)
                .isEqualTo(evaluate(other, measured).judgement());
    }

    /** Of judgements, the better the larger. */
    private static int rank(Judgement judgement) {
        return List.of(Judgement.BREACHED, Judgement.INCONCLUSIVE, Judgement.HOLDS).indexOf(judgement);
    }

    private static ComparisonResult latency(String percentile, Histogram latency, OverdueRequests... overdue) {
        return evaluate(rule(percentile), measurements(Scope.SUT, window(latency, 0, overdue))).comparison();
    }

    private static String rule(String percentile) {
        return "latency." + percentile + " <= duration('200ms')";
    }

    private static RuleEvaluation evaluate(String expression, ScopedStats measurements) {
        return COMPILER.compile("rule", expression, false).evaluate(measurements);
    }

    private static Histogram recorded(List<Integer> micros) {
        var histogram = new Histogram(3);
        micros.forEach(histogram::recordValue);
        return histogram;
    }

    private static Histogram recorded(int count, int micros) {
        var histogram = new Histogram(3);
        histogram.recordValueWithCount(micros, count);
        return histogram;
    }

    private static ScopedStats level(Double a, Double b, Double c) {
        var known = new HashMap<String, Double>();
        known.put("a", a);
        known.put("b", b);
        known.put("c", c);
        known.values().removeIf(value -> value == -1);
        return measurements(Scope.SUT, gauges(known));
    }

    @Provide
    Arbitrary<String> percentiles() {
        return Arbitraries.of(PART_ABOVE.keySet().stream().sorted().toList());
    }

    /** Not in the limit's own bucket, where a histogram cannot tell. */
    @Provide
    Arbitrary<List<Integer>> latencies() {
        return Arbitraries
                .frequencyOf(Tuple.of(9, Arbitraries.integers().between(1, 199_000)),
                        Tuple.of(1, Arbitraries.integers().between(201_000, 5_000_000)))
                .list().ofMinSize(1).ofMaxSize(400);
    }

    /** -1 for nobody reports it. */
    @Provide
    Arbitrary<Double> levels() {
        return Arbitraries.frequencyOf(Tuple.of(4, Arbitraries.doubles().between(0.01, 1).ofScale(2)),
                Tuple.of(1, Arbitraries.of(-1.0, Double.NaN, Double.POSITIVE_INFINITY, 0.5)));
    }
}
