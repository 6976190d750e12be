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

    private final LastHealthyVerdicts overheard = new LastHealthyVerdicts();

    private void heard(Judgement sla, Judgement guard, int second, int windowEnd) {
        overheard.verdict(new WindowVerdict("run", 7, 1, START.plusSeconds(windowEnd).minus(WINDOW), WINDOW, sla,
                List.of(), List.of(new RuleResult("guard", "x <= 1", guard, 0.5, 1.0, 0.5, "ratio", false, "")),
                new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                TrafficSample.NONE,
                TrafficSample.NONE,
                1000, 0, null), START.plusSeconds(second));
    }

    @Test
    void the_last_window_that_held_counts() {
        heard(Judgement.HOLDS, Judgement.HOLDS, 1, 1);
        heard(Judgement.HOLDS, Judgement.HOLDS, 2, 2);
        heard(Judgement.INCONCLUSIVE, Judgement.HOLDS, 3, 3);

        assertThat(overheard.lastHealthyAt("run")).contains(START.plusSeconds(2));
        assertThat(overheard.lastHealthyAt("other")).isEmpty();
    }

    @Test
    void what_is_wrong_wipes_it_out() {
        heard(Judgement.HOLDS, Judgement.HOLDS, 1, 1);
        heard(Judgement.BREACHED, Judgement.HOLDS, 2, 2);
        assertThat(overheard.lastHealthyAt("run")).isEmpty();

        heard(Judgement.HOLDS, Judgement.HOLDS, 3, 3);
        heard(Judgement.HOLDS, Judgement.BREACHED, 4, 4);
        assertThat(overheard.lastHealthyAt("run")).isEmpty();
    }

    @Test
    void a_window_of_long_ago_says_nothing() {
        heard(Judgement.HOLDS, Judgement.HOLDS, 30, 1);

        assertThat(overheard.lastHealthyAt("run")).isEmpty();
    }

    @Test
    void it_is_forgotten_when_nobody_can_want_it_any_more() {
        heard(Judgement.HOLDS, Judgement.HOLDS, 1, 1);
        overheard.verdict(new WindowVerdict("other", 7, 1, START.plusSeconds(100), WINDOW, Judgement.HOLDS, List.of(),
                List.of(), new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                TrafficSample.NONE,
                TrafficSample.NONE, 1000, 0, null), START.plusSeconds(101));

        assertThat(overheard.lastHealthyAt("run")).isEmpty();
    }
}
