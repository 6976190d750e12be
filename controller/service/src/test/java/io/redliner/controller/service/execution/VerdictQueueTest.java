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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class VerdictQueueTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private long sequence;

    private final AtomicInteger skipped = new AtomicInteger();

    private final VerdictQueue waiting = new VerdictQueue(() -> now, skipped::incrementAndGet);

    private WindowVerdict verdict(Judgement guard) {
        return new WindowVerdict("run", 7, ++sequence, now.minus(WINDOW), WINDOW, Judgement.HOLDS, List.of(),
                List.of(new RuleResult("guard", "x <= 1", guard, 0.5, 1.0, 0.5, "ratio", false, "")),
                new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                TrafficSample.NONE,
                TrafficSample.NONE,
                1000, 0, null);
    }

    @Test
    void what_came_is_taken_once_and_in_its_order() {
        WindowVerdict first = verdict(Judgement.HOLDS);
        WindowVerdict second = verdict(Judgement.HOLDS);

        assertThat(waiting.add("shop", first)).isTrue();
        assertThat(waiting.add("shop", second)).as("it is taken with the first").isFalse();
        assertThat(waiting.add("bakery", second)).as("another service").isTrue();

        assertThat(waiting.take("shop")).containsExactly(first, second);
        assertThat(waiting.take("shop")).isEmpty();
        assertThat(waiting.add("shop", second)).isTrue();
        assertThat(skipped).hasValue(0);
    }

    @Test
    void a_driver_that_was_held_up_finds_the_fresh_ones_and_those_that_broke_a_guard() {
        WindowVerdict broken = verdict(Judgement.BREACHED);
        waiting.add("shop", broken);
        for (int second = 0; second < 100; second++) {
            now = now.plusSeconds(1);
            waiting.add("shop", verdict(Judgement.HOLDS));
        }

        List<WindowVerdict> taken = waiting.take("shop");

        assertThat(taken.getFirst()).isEqualTo(broken);
        assertThat(taken.stream().skip(1)).isNotEmpty().allMatch(verdict -> verdict.fresh(now));
        assertThat(taken.size() + skipped.get()).as("none is gone uncounted").isEqualTo(101);
        assertThat(taken).hasSizeLessThan(10);
    }

    @Test
    void one_that_came_too_late_is_the_analyzers_fault_and_delivered() {
        WindowVerdict late = verdict(Judgement.HOLDS);
        now = now.plusSeconds(60);
        waiting.add("shop", late);

        assertThat(waiting.take("shop")).containsExactly(late);
        assertThat(skipped).hasValue(0);
    }
}
