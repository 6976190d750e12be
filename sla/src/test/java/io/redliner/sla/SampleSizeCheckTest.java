// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleSizeCheckTest {

    @Test
    void a_percentile_that_the_rate_cannot_support_is_objected_to_with_the_figures_and_what_to_do() {
        assertThat(SampleSizeCheck.objection(sla("latency.p999 <= duration('200ms')", false), 0.6, 50)).contains(
                "rule 'tail' names latency.p999, which takes 1000 requests to judge, and at most 750 can reach the SUT"
                        + " in the 25 s that a load is held: 60 % of 50.0 requests/s; use latency.p99 at most, allow a"
                        + " larger share, or test when there is more traffic");
    }

    @ParameterizedTest
    @CsvSource({"latency.p999, 66, true", "latency.p999, 67, false", "latency.p99, 6.6, true",
        "latency.p99, 6.7, false",
        "latency.p95, 1, true", "latency.p50, 0.2, false", "latency.max, 0.1, false", "latency.mean, 0.1, false",
        "peers.latency.p999, 1, false", "latency.p999, 0, false"})
    void what_counts_is_whether_one_request_in_the_longest_step_may_be_slow(String name, double rate,
            boolean objected) {
        var sla = sla(name + " <= duration('200ms')", false);

        assertThat(SampleSizeCheck.objection(sla, 0.6, rate).isPresent()).isEqualTo(objected);
    }

    @Test
    void rules_that_do_not_decide_or_have_an_alternative_are_not_objected_to() {
        assertThat(SampleSizeCheck.objection(sla("latency.p999 <= duration('200ms')", true), 0.6, 10)).isEmpty();
        assertThat(SampleSizeCheck.objection(sla("latency.p999 <= duration('200ms') || cpu <= 0.5", false), 0.6, 10))
                .isEmpty();
        assertThat(SampleSizeCheck.objection(sla("cpu <= 0.5 && 2 * latency.p999 <= duration('1s')", false), 0.6, 10))
                .isPresent();
    }

    private static List<Rule> sla(String expression, boolean informational) {
        return List.of(new RuleCompiler().compile("tail", expression, informational));
    }
}
