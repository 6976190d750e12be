// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.safety.Freeze;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.CanonicalPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartPolicyTest {

    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");

    private static final RunFacts FACTS = new RunFacts("run", "shop", "10.0.0.1:80", 0, new Share(250_000),
            new RunBounds(new Share(500_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1)),
            RunTimeouts.DEFAULT, NOW);

    private static final RunOrder ORDER = new RunOrder(new CanonicalPlan("plan", "hash", "{}"), null, "east", 0, FACTS,
            List.of());

    private static final KillSwitch OPEN = new KillSwitch(false, "nobody", "", NOW);

    private final StartPolicy startPolicy = new StartPolicy(10, 3);

    private static StartPolicy.SafetyStatus standing(List<Freeze> freezes) {
        return new StartPolicy.SafetyStatus(OPEN, freezes, 0, 0, null, 0);
    }

    private static Freeze freeze(@Nullable String service, int fromMinute, int toMinute) {
        return new Freeze("f", service, NOW.plus(Duration.ofMinutes(fromMinute)),
                NOW.plus(Duration.ofMinutes(toMinute)),
                "quarter end", "ann", NOW);
    }

    private void assertRefused(StartPolicy.SafetyStatus standing, RejectionReason cause, String words) {
        assertThatThrownBy(() -> startPolicy.check(ORDER, standing)).isInstanceOf(RunRejectedException.class)
                .hasMessageContaining(words)
                .satisfies(refused -> assertThat(((RunRejectedException) refused).reason()).isEqualTo(cause));
    }

    @Test
    void without_anything_in_the_way_a_run_is_bounded_by_its_plan_alone() {
        assertThat(startPolicy.check(ORDER, standing(List.of()))).isEqualTo(FACTS);
    }

    @Test
    void the_kill_switch_lets_nothing_begin_and_says_who_engaged_it() {
        StartPolicy.SafetyStatus engaged = new StartPolicy.SafetyStatus(new KillSwitch(true, "bob", "fire", NOW),
                List.of(), 0,
                0, null, 0);

        assertRefused(engaged, RejectionReason.KILL_SWITCH_ENGAGED, "bob");
    }

    @Test
    void a_freeze_of_the_service_or_of_all_refuses_and_one_of_another_does_not() {
        assertRefused(standing(List.of(freeze("shop", -5, 5))), RejectionReason.FROZEN, "quarter end");
        assertRefused(standing(List.of(freeze(null, -5, 5))), RejectionReason.FROZEN, "all services");
        assertThat(startPolicy.check(ORDER, standing(List.of(freeze("cart", -5, 5))))).isEqualTo(FACTS);
        assertThat(startPolicy.check(ORDER, standing(List.of(freeze("shop", -5, 0))))).as("over")
                .isEqualTo(FACTS);
    }

    @Test
    void a_freeze_that_begins_within_the_run_bounds_it() {
        StartPolicy.SafetyStatus standing = standing(
                List.of(freeze("shop", 20, 60), freeze(null, 10, 15), freeze("shop", 40, 50)));

        assertThat(startPolicy.check(ORDER, standing).clearance().until()).isEqualTo(NOW.plus(Duration.ofMinutes(10)));
        assertThat(startPolicy.check(ORDER, standing(List.of(freeze("shop", 30, 60)))).clearance().until())
                .as("after the longest duration")
                .isNull();
    }

    @Test
    void there_is_no_run_too_many_in_all_nor_in_a_cluster() {
        assertRefused(new StartPolicy.SafetyStatus(OPEN, List.of(), 10, 0, null, 0), RejectionReason.TOO_MANY_RUNS,
                "10 runs are live");
        assertRefused(new StartPolicy.SafetyStatus(OPEN, List.of(), 3, 3, null, 0), RejectionReason.TOO_MANY_RUNS,
                "cluster east");
        assertThat(startPolicy.check(ORDER, new StartPolicy.SafetyStatus(OPEN, List.of(), 9, 2, null, 0)))
                .isEqualTo(FACTS);
        assertThat(startPolicy.recheck(ORDER, new StartPolicy.SafetyStatus(OPEN, List.of(), 10, 3, null, 0)))
                .as("it is one of them already").isEqualTo(FACTS);
    }

    @Test
    void what_the_month_has_left_is_what_a_run_may_cost() {
        assertThat(
                startPolicy.check(ORDER, new StartPolicy.SafetyStatus(OPEN, List.of(), 0, 0, 100.0, 40)).bounds()
                        .harmLeft())
                .isEqualTo(60);
        assertRefused(new StartPolicy.SafetyStatus(OPEN, List.of(), 0, 0, 100.0, 100),
                RejectionReason.HARM_BUDGET_SPENT,
                "100 harmed");
    }
}
