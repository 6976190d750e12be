// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.Milestones;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.run.StopReason;
import io.redliner.controller.plan.PlanLimits;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunConditionTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private static RunCondition shifted(StopCode code) {
        RunFacts facts = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, AT);
        RunState state = new RunState.Finished(facts,
                new RunEnd(RunOutcome.INCONCLUSIVE, new StopReason(code, "25% of 40%"), null, null),
                new RestoreProof(RestoreProof.Proof.ACKNOWLEDGED, Duration.ZERO, ""), new HarmDone(0, null),
                new Milestones(AT, AT, null, true), null, AT.plusSeconds(60));
        return RunCondition.of(state).stream().filter(one -> one.type().equals("TrafficShifted")).findFirst()
                .orElseThrow();
    }

    @Test
    void traffic_that_was_asked_for_and_did_not_arrive_was_not_shifted() {
        assertThat(shifted(StopCode.SHARE_NOT_FOLLOWED))
                .isEqualTo(new RunCondition("TrafficShifted", "False", "ShareNotFollowed", "25% of 40%", null));
        assertThat(shifted(StopCode.MAX_DURATION).status()).isEqualTo("True");
    }
}
