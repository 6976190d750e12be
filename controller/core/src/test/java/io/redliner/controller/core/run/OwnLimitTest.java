// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.limit.OwnLimit;
import io.redliner.contract.limit.OwnLimit.Kind;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A limit that RedLiner chose ends requests: the service is not blamed, and the run does not go on. */
class OwnLimitTest {

    private final RunScenario scenario = new RunScenario();

    private static WindowVerdict with(WindowVerdict all, List<RuleResult> guards, @Nullable OwnLimit limit) {
        return new WindowVerdict(all.runId(), all.epoch(), all.sequence(), all.windowStart(), all.windowLength(),
                all.judgement(), all.sla(), guards, all.advice(), all.sut(), all.peers(),
                all.serviceRequestsPerSecond(), all.harmRequests(), all.estimate(), null, null, null, limit);
    }

    private void judged(Judgement judgement, List<RuleResult> guards, @Nullable OwnLimit limit) {
        scenario.after(Duration.ofSeconds(1));
        scenario.status(ReportedLeaseState.APPLIED);
        scenario.decide(new RunEvent.VerdictArrived(
                with(scenario.verdict(judgement, SearchAdvice.Action.HOLD, 250), guards, limit)));
    }

    private static RuleResult guard() {
        return new RuleResult("users", "error_rate <= 0.01", Judgement.BREACHED, 0.4, 0.01, 40.0, "RATIO", false, "",
                null);
    }

    private void assertNotBlamed(String limit) {
        assertThat(scenario.ending().outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.OWN_LIMIT);
        assertThat(scenario.ending().reason().detail()).startsWith("RedLiner's own " + limit)
                .contains(" 40% of the requests of ").endsWith("What the service would have answered is not known");
    }

    @Test
    void before_anything_is_moved_the_service_is_not_called_ill() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));

        judged(Judgement.BREACHED, List.of(), null);
        assertThat(scenario.phase()).isEqualTo(RunPhase.PREPARING);
        judged(Judgement.BREACHED, List.of(guard()), new OwnLimit(Kind.ROUTE_TIMEOUT, 15_000, 12, 30));

        assertNotBlamed("route timeout of 15s");
    }

    @ParameterizedTest
    @EnumSource(Judgement.class)
    void in_the_ramp_the_run_ends_whatever_the_rules_say(Judgement judgement) {
        scenario.ramping(400);

        judged(judgement, List.of(), new OwnLimit(Kind.CIRCUIT_BREAKER, 10_000, 40, 100));

        assertNotBlamed("circuit breaker of 10000 requests");
    }

    @Test
    void a_guard_that_such_requests_break_is_not_the_reason() {
        scenario.ramping(400);

        judged(Judgement.HOLDS, List.of(guard()), new OwnLimit(Kind.IDLE_TIMEOUT, 300_000, 4, 10));

        assertNotBlamed("idle timeout of 5m");
    }
}
