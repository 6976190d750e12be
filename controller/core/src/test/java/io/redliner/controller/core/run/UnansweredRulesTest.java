// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Judgement;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnansweredRulesTest {

    private final RunScenario scenario = new RunScenario();

    @Test
    void a_run_without_telemetry_names_every_rule_and_guard_that_has_no_answer() {
        scenario.ramping(400);
        for (int window = 0; window < 3; window++) {
            scenario.decide(new RunEvent.VerdictArrived(unanswered(
                    List.of(rule("queue", Judgement.INCONCLUSIVE, false, "nobody reports custom['queue']"),
                            rule("latency", Judgement.HOLDS, false, ""),
                            rule("pages", Judgement.INCONCLUSIVE, true, "nobody reports custom['pages']"),
                            rule("cpu", Judgement.INCONCLUSIVE, false, "nobody reports cpu")),
                    List.of(rule("fleet", Judgement.INCONCLUSIVE, false, "")))));
        }

        assertThat(scenario.ending().reason().detail()).startsWith("telemetry lost").endsWith("the last: rule 'queue'"
                + " has no answer: nobody reports custom['queue']; and rule 'cpu' has no answer: nobody reports cpu;"
                + " and rule 'fleet' has no answer");
    }

    @Test
    void the_reasons_of_many_rules_do_not_fill_pages() {
        scenario.ramping(400);
        RuleResult one = rule("queue", Judgement.INCONCLUSIVE, false, "x".repeat(1_900));

        assertThat(unanswered(List.of(one, one, one, one), List.of()).doubt()).hasSizeLessThan(2_100)
                .endsWith("x ...");
    }

    private WindowVerdict unanswered(List<RuleResult> sla, List<RuleResult> guards) {
        WindowVerdict all = scenario.verdict(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        return new WindowVerdict(all.runId(), all.epoch(), all.sequence(), all.windowStart(), all.windowLength(),
                all.judgement(), sla, guards, all.advice(), all.sut(), all.peers(), all.serviceRequestsPerSecond(),
                all.harmRequests(), all.estimate());
    }

    private static RuleResult rule(String name, Judgement judgement, boolean informational, String reason) {
        return new RuleResult(name, name + " <= 3", judgement, null, null, null, "", informational, reason);
    }
}
