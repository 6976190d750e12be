// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.run.StopReason;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Action;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Decision;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Known;
import io.redliner.controller.service.persistence.StoredPlan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Decisions about an object, without a cluster. */
@Execution(ExecutionMode.CONCURRENT)
class CapacityTestDeciderTest extends CapacityTestFixture {

    @Test
    void a_new_object_gets_its_finalizer_before_its_plan_is_stored_under_its_namespace_and_name() {
        finalizer = false;

        Decision decision = decide(NOTHING);

        assertThat(decision.actions().getFirst()).isEqualTo(new Action.SetFinalizer(true));
        assertThat(decision.actions().get(1)).isInstanceOfSatisfying(Action.SavePlan.class,
                save -> assertThat(save.plan().name()).isEqualTo("shop.weekly"));
        assertThat(condition("Accepted")).isEqualTo("True Accepted");
        assertThat(condition("Measured")).isEqualTo("Unknown NotRun");
        assertThat(status.phase()).isEqualTo("NotRun");
        assertThat(status.observedGeneration()).isEqualTo(3);
    }

    @Test
    void the_same_object_again_changes_nothing_and_has_no_new_event() {
        Known known = new Known(stored(), List.of(over("r-1", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 410)),
                null);
        decide(known);
        CapacityTestStatus before = status;

        Decision again = decider.decide(test(), HOLDERS, known, NOW.plusSeconds(60));

        assertThat(again.actions()).isEmpty();
        assertThat(again.events()).isEmpty();
        assertThat(again.status()).isEqualTo(before);
    }

    @Test
    void a_changed_spec_is_stored() {
        Known known = new Known(stored(), List.of(), null);
        spec.put("limits", Map.of("maxShare", "41%"));

        assertThat(decide(known).actions()).singleElement().isInstanceOf(Action.SavePlan.class);
    }

    @Test
    void a_service_of_another_namespace_is_refused_with_one_event_and_its_plan_goes() {
        Known known = new Known(stored(), List.of(), null);
        Map<String, ServiceClaim> others = Map.of("cart", claim("search", "cart", NOW));

        Decision decision = decider.decide(test(), others, known, NOW);
        status = decision.status();

        assertThat(decision.actions()).containsExactly(new Action.DeletePlan());
        assertThat(condition("Accepted")).isEqualTo("False NotOwner");
        assertThat(status.phase()).isEqualTo("Refused");
        assertThat(reasons(decision)).containsExactly("Refused");
        assertThat(decision.events().getFirst().message()).contains("held by RedlinerService search/cart");
        assertThat(decider.decide(test(), others, NOTHING, NOW).events()).isEmpty();
        assertThat(decider.decide(test(), Map.of(), NOTHING, NOW).events().getFirst().message())
                .contains("no RedlinerService in it names the service");
    }

    @Test
    void a_field_that_plans_do_not_have_is_refused_with_its_path_and_the_stored_plan_stays() {
        Known known = new Known(stored(), List.of(), null);
        spec.put("limits", Map.of("maxShares", "50%"));

        Decision decision = decide(known);

        assertThat(decision.actions()).isEmpty();
        assertThat(condition("Accepted")).isEqualTo("False Invalid");
        assertThat(decision.events().getFirst().message()).contains("$.spec.limits", "maxShares",
                "the plan stays as it was before");
    }

    @Test
    void a_plan_of_the_api_with_the_same_name_is_not_overwritten() {
        Decision decision = decide(new Known(stored("other", StoredPlan.Source.API), List.of(), null));

        assertThat(decision.actions()).isEmpty();
        assertThat(condition("Accepted")).isEqualTo("False NameTaken");
    }

    @Test
    void an_answer_of_another_spec_is_none_of_this_one() {
        StoredRun old = over("r-1", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 410);
        decide(new Known(stored(), List.of(old), null));
        assertThat(condition("Measured")).isEqualTo("True CapacityFound");
        spec.put("limits", Map.of("maxShare", "41%"));

        decide(new Known(stored(), List.of(old), null));

        assertThat(condition("Measured")).isEqualTo("Unknown SpecChanged");
        assertThat(status.capacity()).isNull();
        assertThat(status.doubt()).startsWith("cannot be known: run r-1 tested another spec");
    }

    @Test
    void a_run_after_the_last_series_is_shown() {
        StoredSeries series = series(NOW.minusSeconds(60));
        StoredRun member = over("r-0", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 410);
        decide(new Known(stored(), List.of(member), series));
        assertThat(status.run()).as("a member is not a run of its own").isEqualTo("s-1");

        decide(new Known(stored(), List.of(over("r-1", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 410)),
                series));

        assertThat(status.run()).isEqualTo("r-1");
        assertThat(condition("Measured")).isEqualTo("True CapacityFound");
    }

    private StoredSeries series(Instant end) {
        SeriesState state = new SeriesState("s-1", Profile.REGRESSION, 0.05, true, List.of(new SeriesState.Member(1,
                "old", "10.0.0.1:8080", 0, 1, "r-0", null)), null, null, new SeriesState.End(
                        SeriesState.End.Kind.FAILED, "because", end),
                List.of());
        return new StoredSeries("s-1", "cart", new CanonicalPlan(KEY.plan(), "other", "{}"), state, 1,
                end.minusSeconds(60), end);
    }

    @Test
    void a_capacity_is_shown_with_its_interval_and_how_far_it_can_be_believed() {
        Decision decision = decide(new Known(stored(),
                List.of(over("r-1", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 410)), null));

        CapacityTestStatus.Capacity capacity = Objects.requireNonNull(status.capacity());
        assertThat(capacity.text()).isEqualTo("395/s");
        assertThat(capacity.interval()).isEqualTo("380 to 410");
        assertThat(status.doubt()).isEqualTo("cannot be known: no check of the measurement is known");
        assertThat(condition("Measured")).isEqualTo("True CapacityFound");
        assertThat(status.phase()).isEqualTo("Finished");
        assertThat(reasons(decision)).containsExactly("RunStarted", "RunEnded");
    }

    @Test
    void a_lower_bound_says_so_and_an_unknown_end_is_no_number() {
        StoredPlan plan = stored();
        decide(new Known(plan, List.of(over("r-1", RunOutcome.TRAFFIC_EXHAUSTED, StopCode.CAPACITY_FOUND, 0)), null));
        assertThat(status.capacity()).isEqualTo(
                new CapacityTestStatus.Capacity(380.0, null, null, true, "at least 380/s", "from 380 on"));
        assertThat(status.answer()).contains("at least 380");

        decide(new Known(plan, List.of(over("r-2", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 0)), null));
        assertThat(status.capacity()).isEqualTo(
                new CapacityTestStatus.Capacity(395.4, 380.0, null, false, "395/s", "380 to unknown"));
    }

    @Test
    void a_run_without_an_answer_takes_the_old_number_away_and_a_live_one_does_not() {
        StoredPlan plan = stored();
        StoredRun first = over("r-1", RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, 410);
        decide(new Known(plan, List.of(first), null));

        decide(new Known(plan, List.of(run("r-2", null, RestoreProof.Proof.MEASURED), first), null));
        assertThat(status.phase()).isEqualTo("Pending");
        assertThat(status.capacity()).isNotNull();
        assertThat(condition("Running")).isEqualTo("True Pending");

        Decision ended = decide(new Known(plan,
                List.of(over("r-2", RunOutcome.INCONCLUSIVE, StopCode.MAX_DURATION, 410)), null));
        assertThat(status.capacity()).isNull();
        assertThat(status.doubt()).isEqualTo("cannot be known: because");
        assertThat(condition("Measured")).isEqualTo("False Inconclusive");
        assertThat(condition("Running")).isEqualTo("False NotRunning");
        assertThat(ended.events()).singleElement().satisfies(event -> {
            assertThat(event.warning()).isTrue();
            assertThat(event.reason()).isEqualTo("RunEnded");
        });
    }

    @Test
    void a_deleted_object_stays_until_its_plan_is_gone_and_its_run_is_over() {
        StoredPlan plan = stored();
        deleted = true;
        StoredRun live = run("r-1", null, RestoreProof.Proof.MEASURED);

        assertThat(decide(new Known(plan, List.of(live), null)).actions()).containsExactly(
                new Action.AbortRun("r-1", "shop/weekly was deleted"));
        assertThat(decide(new Known(plan, List.of(), null)).actions()).containsExactly(new Action.DeletePlan());
        assertThat(decide(new Known(null, List.of(live), null)).actions()).doesNotContain(
                new Action.SetFinalizer(false));
        assertThat(decide(new Known(null, List.of(over("r-1", RunOutcome.ABORTED, StopCode.MAX_DURATION, 0)), null))
                .actions()).containsExactly(new Action.SetFinalizer(false));
    }

    @Test
    void an_object_that_loses_its_service_starts_nothing_more_and_its_plan_goes_when_nothing_is_live() {
        spec.put("schedule", Map.of("interval", "6h"));
        StoredPlan plan = stored();
        StoredRun live = run("r-1", null, RestoreProof.Proof.MEASURED);

        List<Action> lost = decider.decide(test(), Map.of(), new Known(plan, List.of(live), null), NOW).actions();

        assertThat(lost).hasSize(2).element(1).isInstanceOf(Action.AbortRun.class);
        assertThat(lost.getFirst()).isInstanceOfSatisfying(Action.SavePlan.class,
                save -> assertThat(save.plan().schedule()).isNull());
        assertThat(decider.withdrawal(KEY, new Known(plan, List.of(live), null), "gone")).hasSize(2);
        spec.remove("schedule");
        assertThat(decider.withdrawal(KEY, new Known(stored(), List.of(live), null), "gone")).singleElement()
                .isInstanceOf(Action.AbortRun.class);
        assertThat(decider.withdrawal(KEY, new Known(stored(), List.of(), null), "gone"))
                .containsExactly(new Action.DeletePlan());
    }

    @Test
    void an_object_that_goes_while_traffic_is_not_known_to_be_natural_warns() {
        deleted = true;
        StoredRun end = run("r-1", new RunEnd(RunOutcome.ABORTED, new StopReason(StopCode.MAX_DURATION, "because"),
                null, null), RestoreProof.Proof.CONTRADICTED);

        assertThat(reasons(decide(new Known(null, List.of(end), null)))).contains("RestoreNotProven");
    }
}
