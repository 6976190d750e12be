// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static io.redliner.sla.Windows.latencies;
import static io.redliner.sla.Windows.measurements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time to the first byte of an answer. */
class FirstByteTest {

    private static final String RULE = "ttfb.p99 <= duration('200ms')";

    private final RuleCompiler compiler = new RuleCompiler();

    /** Of 1000 requests or a few more, those that are over took 20 or 300 ms to begin, and all of them 5 s to end. */
    @ParameterizedTest
    @CsvSource({"1000, 0, 0, HOLDS, 0", "990, 10, 0, HOLDS, 10", "989, 11, 0, BREACHED, 11", "990, 0, 10, HOLDS, 10",
        "989, 0, 11, INCONCLUSIVE, 11", "980, 10, 10, INCONCLUSIVE, 20", "500, 10, 490, INCONCLUSIVE, 500",
        "500, 20, 480, BREACHED, 500", "0, 0, 5, INCONCLUSIVE, 5"})
    void a_request_that_hangs_may_have_begun_or_not(int quick, int slow, int hanging, Judgement judgement,
            long exceeding) {
        var outcome = evaluate(RULE, window(latencies(quick, 20, slow, 300), hanging));

        assertThat(outcome.judgement()).isEqualTo(judgement);
        assertThat(outcome.comparison().proportion())
                .contains(new Proportion(Proportion.Kind.SLOW, quick + slow + hanging, exceeding, 0.01));
        assertThat(outcome.reason()).isEqualTo(judgement == Judgement.INCONCLUSIVE
                ? "whether the answer has begun is not known of " + hanging + " of " + (quick + slow + hanging)
                        + " requests, so ttfb.p99 is not known"
                : "");
    }

    @Test
    void what_nobody_measured_is_not_known() {
        var measured = new WindowStats(Duration.ofSeconds(1), 10, 10, 0, 0, latencies(10, 20), List.of(), Map.of());
        for (String rule : List.of(RULE, "ttfb.mean <= duration('1s')", "ttfb.p50 <= 2 * latency.p50")) {
            assertThat(evaluate(rule, measured).judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        }
    }

    @Test
    void it_is_distinguished_from_the_latency() {
        var measured = window(latencies(100, 20), 0);
        assertThat(evaluate("ttfb.max <= duration('25ms')", measured).judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(evaluate("latency.p50 <= duration('25ms')", measured).judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(evaluate("ttfb.mean <= duration('25ms')", measured).judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(compiler.compile("rule", "ttfb.p50 <= latency.p99", false)).as("streams have no latency")
                .isNotNull();
        assertThatThrownBy(() -> compiler.compile("rule", "ttfb.p50 <= ttfb.p99", false))
                .isInstanceOf(InvalidRuleException.class);
    }

    @Test
    void hanging_requests_are_counted_against_its_limits() {
        assertThat(compiler.compile("rule", RULE, false).latencyLimits()).containsExactly(Duration.ofMillis(200));
    }

    private RuleEvaluation evaluate(String expression, WindowStats measured) {
        return compiler.compile("rule", expression, false).evaluate(measurements(Scope.SUT, measured));
    }

    private static WindowStats window(Histogram firstByte, long hanging) {
        long completed = firstByte.getTotalCount();
        return new WindowStats(Duration.ofSeconds(1), completed, completed, 0, 0,
                LatencyHistogram.of(latencies(completed, 5_000)), Cancelled.NONE, LatencyHistogram.of(firstByte),
                List.of(new OverdueRequests(Duration.ofMillis(200), hanging, 7)), Map.of());
    }
}
