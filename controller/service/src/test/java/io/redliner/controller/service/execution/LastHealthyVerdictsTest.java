// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastHealthyVerdictsTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final RunExecutor.LastHealthyVerdicts verdicts = new RunExecutor.LastHealthyVerdicts();

    private void received(Judgement sla, Judgement guard, int second, int windowEnd) {
        verdicts.verdict(new WindowVerdict("run", 7, 1, START.plusSeconds(windowEnd).minus(WINDOW), WINDOW, sla,
                List.of(), List.of(new RuleResult("guard", "x <= 1", guard, 0.5, 1.0, 0.5, "ratio", false, "")),
                new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                TrafficSample.NONE,
                TrafficSample.NONE,
                1000, 0, null), START.plusSeconds(second));
    }

    @Test
    void the_last_window_that_held_counts() {
        received(Judgement.HOLDS, Judgement.HOLDS, 1, 1);
        received(Judgement.HOLDS, Judgement.HOLDS, 2, 2);
        received(Judgement.INCONCLUSIVE, Judgement.HOLDS, 3, 3);

        assertThat(verdicts.lastHealthyAt("run")).contains(START.plusSeconds(2));
        assertThat(verdicts.lastHealthyAt("other")).isEmpty();
    }

    @Test
    void what_is_wrong_wipes_it_out() {
        received(Judgement.HOLDS, Judgement.HOLDS, 1, 1);
        received(Judgement.BREACHED, Judgement.HOLDS, 2, 2);
        assertThat(verdicts.lastHealthyAt("run")).isEmpty();

        received(Judgement.HOLDS, Judgement.HOLDS, 3, 3);
        received(Judgement.HOLDS, Judgement.BREACHED, 4, 4);
        assertThat(verdicts.lastHealthyAt("run")).isEmpty();
    }

    @Test
    void a_window_of_long_ago_says_nothing() {
        received(Judgement.HOLDS, Judgement.HOLDS, 30, 1);

        assertThat(verdicts.lastHealthyAt("run")).isEmpty();
    }

    @Test
    void it_is_forgotten_when_nobody_can_want_it_any_more() {
        received(Judgement.HOLDS, Judgement.HOLDS, 1, 1);
        verdicts.verdict(new WindowVerdict("other", 7, 1, START.plusSeconds(100), WINDOW, Judgement.HOLDS, List.of(),
                List.of(), new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                TrafficSample.NONE,
                TrafficSample.NONE, 1000, 0, null), START.plusSeconds(101));

        assertThat(verdicts.lastHealthyAt("run")).isEmpty();
    }
}
