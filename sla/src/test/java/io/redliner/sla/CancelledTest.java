// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static io.redliner.sla.Windows.latencies;
import static io.redliner.sla.Windows.measurements;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users did not wait for is not known: neither healthy nor broken. */
class CancelledTest {

    private static final String RULE = "latency.p99 <= duration('800ms')";

    private final RuleCompiler compiler = new RuleCompiler();

    /** Callers time out after 500 ms, or after 900 ms; half of the requests are answered in 20 ms and less. */
    @ParameterizedTest
    @CsvSource({"1000,  0,  0, 500, HOLDS,        0", "995, 0,  5, 500, HOLDS,        5",
        "980, 0, 20, 500, INCONCLUSIVE, 20",
        "985, 10, 5, 500, INCONCLUSIVE, 15", "970, 20, 10, 500, BREACHED,    30", "980, 0, 20, 900, BREACHED,     20",
        "0,  0, 100, 500, INCONCLUSIVE, 100", "0, 0, 100, 900, BREACHED,    100"})
    void a_request_without_an_answer_may_have_been_slow(int quick, int slow, int cancelled, int age,
            Judgement judgement,
            long exceeding) {
        var outcome = evaluate(RULE, window(latencies(quick, 20, slow, 1_000), 0, latencies(cancelled, age)));

        assertThat(outcome.judgement()).isEqualTo(judgement);
        assertThat(outcome.comparison().proportion())
                .contains(new Proportion(Proportion.Kind.SLOW, quick + slow + cancelled, exceeding, 0.01));
        assertThat(outcome.reason()).isEqualTo(judgement == Judgement.INCONCLUSIVE
                ? "users cancelled " + cancelled + " of " + (quick + slow + cancelled)
                        + " requests before an answer came, so latency.p99 is not known"
                : "");
    }

    @Test
    void who_hangs_up_before_most_are_answered_does_not_do_so_because_the_server_is_slow() {
        var outcome = evaluate(RULE, window(latencies(900, 20, 70, 300), 0, latencies(30, 10)));

        assertThat(outcome.judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(outcome.comparison().proportion()).contains(new Proportion(Proportion.Kind.SLOW, 970, 0, 0.01));
    }

    @Test
    void when_most_hang_up_it_is_because_the_server_is_slow() {
        assertThat(evaluate(RULE, window(latencies(100, 450), 0, latencies(101, 400))).judgement())
                .isEqualTo(Judgement.INCONCLUSIVE);
    }

    @Test
    void what_was_overdue_when_its_user_hung_up_is_counted_once() {
        var hung = new WindowStats(Duration.ofSeconds(1), 0, 980, 0, 0, LatencyHistogram.of(latencies(980, 20)),
                new Cancelled(20, LatencyHistogram.of(latencies(20, 900))),
                List.of(new OverdueRequests(Duration.ofMillis(800), 0, 20)),
                Map.of());

        var outcome = evaluate(RULE, hung);

        assertThat(outcome.judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(outcome.comparison().proportion()).contains(new Proportion(Proportion.Kind.SLOW, 980, 0, 0.01));
    }

    @Test
    void the_rate_of_cancelled_requests_can_be_limited() {
        var window = window(latencies(950, 20), 20, latencies(30, 500));

        assertThat(evaluate("cancel_rate <= 0.06", window).judgement()).isEqualTo(Judgement.HOLDS);
        var outcome = evaluate("cancel_rate <= 0.01", window);
        assertThat(outcome.judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(outcome.comparison().value()).hasValue(0.05);
        assertThat(outcome.comparison().proportion())
                .contains(new Proportion(Proportion.Kind.CANCELLED, 1_000, 50, 0.01));
    }

    @Test
    void a_rate_of_cancelled_requests_is_known_when_nothing_else_happened() {
        assertThat(evaluate("cancel_rate <= 0.01", window(latencies(), 3, latencies())).judgement())
                .isEqualTo(Judgement.BREACHED);
        assertThat(evaluate("cancel_rate <= 0.01", window(latencies(), 0, latencies())).judgement())
                .isEqualTo(Judgement.INCONCLUSIVE);
    }

    @Test
    void cancelled_requests_of_several_instances_add_up() {
        var together = WindowStats.mergeInstances(
                Arrays.asList(window(latencies(9, 20), 1, latencies(2, 500)),
                        window(latencies(8, 20), 0, latencies(3, 400))));

        assertThat(together.cancelled()).isEqualTo(new Cancelled(6, LatencyHistogram.of(latencies(3, 400, 2, 500))));
    }

    private RuleEvaluation evaluate(String expression, WindowStats measured) {
        return compiler.compile("rule", expression, false).evaluate(measurements(Scope.SUT, measured));
    }

    private static WindowStats window(Histogram latency, long answered, Histogram unanswered) {
        long completed = latency.getTotalCount();
        return new WindowStats(Duration.ofSeconds(1), completed, completed, 0, 0, LatencyHistogram.of(latency),
                new Cancelled(answered + unanswered.getTotalCount(), LatencyHistogram.of(unanswered)), List.of(),
                Map.of());
    }
}
