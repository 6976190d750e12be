// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.CapacityEstimate;
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
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Action;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Decision;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Known;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.ObjectEvent;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.scheduling.RunStarter;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Decisions about an object, without a cluster. */
@Execution(ExecutionMode.CONCURRENT)
class CapacityTestDeciderTest {

    private static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");

    private static final CapacityTest.Key KEY = new CapacityTest.Key("shop", "weekly");

    private static final Map<String, ServiceClaim> HOLDERS = Map.of("cart", claim("shop", "cart", NOW));

    private static final Known NOTHING = new Known(null, List.of(), null);

    private final CapacityTestDecider decider = new CapacityTestDecider(new PlanReader(new RuleCompiler()),
            new PlanWriter(), (name, zone) -> Optional.empty());

    private final Map<String, Object> spec = new HashMap<>(Map.of("service", "cart",
            "sut", Map.of("instance", "10.0.0.1:8080"), "sla",
            List.of(Map.of("name", "latency", "expr", "latency.p99 <= duration('100ms')"))));

    private boolean deleted;

    private boolean finalizer = true;

    private @Nullable String runRequest;

    private CapacityTestStatus status = CapacityTestStatus.NONE;

    private static ServiceClaim claim(String namespace, String service, Instant created) {
        return new ServiceClaim(namespace, service, service, created, 1, List.of());
    }

    private CapacityTest test() {
        return new CapacityTest(KEY, "uid-1", 3, deleted, finalizer, runRequest, spec, status);
    }

    private Decision decide(Known known) {
        Decision decision = decider.decide(test(), HOLDERS, known, NOW);
        status = decision.status();
        return decision;
    }

    private static StoredPlan stored(String hash, StoredPlan.Source source) {
        return new StoredPlan(KEY.plan(), 1, "{}", hash, NOW, NOW, source,
                source == StoredPlan.Source.KUBERNETES ? KEY.toString() : null);
    }

    /** The plan of the object as it is stored now. */
    private StoredPlan stored() {
        return decide(NOTHING).actions().stream()
                .flatMap(action -> action instanceof Action.SavePlan save
                        ? Optional.of(save.plan()).stream()
                        : Optional.<io.redliner.controller.plan.Plan>empty().stream())
                .map(plan -> stored(new PlanWriter().hash(plan), StoredPlan.Source.KUBERNETES)).findFirst()
                .orElseThrow();
    }

    private static StoredRun run(String id, @Nullable RunEnd end, RestoreProof.Proof proof) {
        RunFacts facts = new RunFacts(id, "cart", "10.0.0.1:8080", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, NOW);
        RunState state = end == null
                ? new RunState.Pending(facts)
                : new RunState.Finished(facts, end, new RestoreProof(proof, Duration.ofMillis(300), "measured"),
                        new HarmDone(0, null), new Milestones(null, null, null, false), null, NOW);
        return new StoredRun(id, new CanonicalPlan(KEY.plan(), "abc", "{}"), state, 1, 1, NOW, null);
    }

    private static StoredRun over(String id, RunOutcome outcome, StopCode code, double high) {
        return run(id, new RunEnd(outcome, new StopReason(code, "because"),
                new CapacityEstimate(395.4, 380, high, "latency", null, null, null, null), null),
                RestoreProof.Proof.MEASURED);
    }

    private String condition(String type) {
        return status.condition(type).map(found -> found.status() + " " + found.reason()).orElse("");
    }

    private static List<String> reasons(Decision decision) {
        return decision.events().stream().map(ObjectEvent::reason).toList();
    }

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
    void a_request_starts_one_run_however_often_the_object_is_looked_at() {
        StoredPlan plan = stored();
        runRequest = "2026-11-30T09:00";

        Decision decision = decide(new Known(plan, List.of(), null));
        assertThat(decision.actions()).singleElement().isInstanceOf(Action.StartRun.class);
        String key = test().requestKey();
        status = decider.started(test(), status, new RunStarter.Answer.Started("r-1"), NOW, new ArrayList<>());

        assertThat(condition("Running")).isEqualTo("True Started");
        Decision next = decide(new Known(plan, List.of(run("r-1", null, RestoreProof.Proof.MEASURED)), null));
        assertThat(next.actions()).isEmpty();
        assertThat(reasons(next)).containsExactly("RunStarted");
        assertThat(status.run()).isEqualTo("r-1");
        assertThat(key).startsWith("kubernetes/uid-1/").isEqualTo(test().requestKey());
        runRequest = "2026-11-30T10:00";
        assertThat(decide(new Known(plan, List.of(), null)).actions()).hasSize(1);
        assertThat(test().requestKey()).isNotEqualTo(key);
    }

    @Test
    void a_refusal_that_may_pass_is_tried_for_five_minutes_and_then_reported_once() {
        runRequest = "now";
        RunStarter.Answer busy = new RunStarter.Answer.Refused("service-busy", "service cart is being tested", true);
        List<ObjectEvent> events = new ArrayList<>();
        status = decider.started(test(), decide(NOTHING).status(), busy, NOW, events);
        assertThat(condition("Running")).isEqualTo("Unknown Waiting");
        assertThat(events).isEmpty();

        status = decider.started(test(), decide(NOTHING).status(), busy, NOW.plus(CapacityTestDecider.START_WITHIN),
                events);

        assertThat(condition("Running")).isEqualTo("False ServiceBusy");
        assertThat(events).extracting(ObjectEvent::reason).containsExactly("RunRefused");
        assertThat(decide(new Known(stored(), List.of(), null)).actions()).isEmpty();
        assertThat(condition("Running")).isEqualTo("False ServiceBusy");
    }

    @Test
    void what_cannot_work_is_refused_at_once() {
        runRequest = "now";
        status = decider.started(test(), decide(NOTHING).status(), new RunStarter.Answer.Refused(
                RejectionReason.NO_PEERS.wireName(), "nobody could take its traffic", false), NOW, new ArrayList<>());

        assertThat(condition("Running")).startsWith("False");
        assertThat(status.runRequest()).isEqualTo("now");
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

        assertThat(decide(new Known(plan, List.of(live), null)).actions()).containsExactly(new Action.DeletePlan(),
                new Action.AbortRun("r-1", "shop/weekly was deleted"));
        assertThat(decide(new Known(plan, List.of(), null)).actions()).containsExactly(new Action.DeletePlan());
        assertThat(decide(new Known(null, List.of(live), null)).actions()).doesNotContain(
                new Action.SetFinalizer(false));
        assertThat(decide(new Known(null, List.of(over("r-1", RunOutcome.ABORTED, StopCode.MAX_DURATION, 0)), null))
                .actions()).containsExactly(new Action.SetFinalizer(false));
    }

    @Test
    void an_object_that_goes_while_traffic_is_not_known_to_be_natural_warns() {
        deleted = true;
        StoredRun end = run("r-1", new RunEnd(RunOutcome.ABORTED, new StopReason(StopCode.MAX_DURATION, "because"),
                null, null), RestoreProof.Proof.CONTRADICTED);

        assertThat(reasons(decide(new Known(null, List.of(end), null)))).contains("RestoreNotProven");
    }

    @Test
    void the_oldest_claim_holds_a_service_and_none_is_new_while_a_namespace_cannot_be_read() {
        ServiceClaim older = claim("shop", "cart", NOW.minusSeconds(60));
        ServiceClaim younger = claim("search", "cart", NOW);

        Map<String, ServiceClaim> holders = ServiceClaim.holders(List.of(younger, older), true);

        assertThat(holders).containsEntry("cart", older);
        List<Condition> accepted = older.judged(holders, 4, NOW);
        assertThat(accepted).extracting(Condition::reason).containsExactly("Accepted", "Reported");
        assertThat(younger.judged(holders, 0, NOW)).extracting(Condition::reason)
                .containsExactly("Conflict", "NotReported");
        assertThat(ServiceClaim.holders(List.of(younger), false)).isEmpty();
        assertThat(younger.judged(Map.of(), 4, NOW)).extracting(Condition::reason).contains("NotAllRead");
        assertThat(ServiceClaim.holders(List.of(younger,
                new ServiceClaim("shop", "cart", "cart", NOW, 1, accepted)), false)).hasEntrySatisfying("cart",
                        holder -> assertThat(holder.namespace()).isEqualTo("shop"));
    }
}
