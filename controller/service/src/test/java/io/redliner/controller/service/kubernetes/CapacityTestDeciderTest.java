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
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Profile;
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
        return decide(known, NOW);
    }

    private Decision decide(Known known, Instant now) {
        Decision decision = decider.decide(test(), HOLDERS, known, now);
        status = decision.status();
        return decision;
    }

    private static StoredPlan stored(String hash, StoredPlan.Source source) {
        return new StoredPlan(KEY.plan(), 1, "{}", hash, NOW, NOW, source,
                source == StoredPlan.Source.KUBERNETES ? KEY.toString() : null);
    }

    /** The plan of the object as it is stored now. */
    private StoredPlan stored() {
        Plan plan = plan();
        return new StoredPlan(KEY.plan(), 1, new PlanWriter().write(plan), new PlanWriter().hash(plan), NOW, NOW,
                StoredPlan.Source.KUBERNETES, KEY.toString());
    }

    private Plan plan() {
        CapacityTest fresh = new CapacityTest(KEY, "uid-1", 3, false, true, null, spec, CapacityTestStatus.NONE);
        return decider.decide(fresh, HOLDERS, NOTHING, NOW).actions().stream()
                .filter(Action.SavePlan.class::isInstance).map(Action.SavePlan.class::cast).findFirst().orElseThrow()
                .plan();
    }

    private StoredRun run(String id, @Nullable RunEnd end, RestoreProof.Proof proof) {
        RunFacts facts = new RunFacts(id, "cart", "10.0.0.1:8080", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, NOW);
        RunState state = end == null
                ? new RunState.Pending(facts)
                : new RunState.Finished(facts, end, new RestoreProof(proof, Duration.ofMillis(300), "measured"),
                        new HarmDone(0, null), new Milestones(null, null, null, false), null, NOW);
        return new StoredRun(id, new CanonicalPlan(KEY.plan(), new PlanWriter().hash(plan()), "{}"), state, 1, 1, NOW,
                null);
    }

    private StoredRun over(String id, RunOutcome outcome, StopCode code, double high) {
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
        runRequest = "2026-11-30T09:00:00Z";

        Decision decision = decide(new Known(plan, List.of(), null));
        assertThat(decision.actions()).singleElement().isInstanceOf(Action.StartRun.class);
        String key = test().requestKey();
        status = CapacityTestDecider.started(test(), status, new RunStarter.Answer.Started("r-1"), NOW,
                new ArrayList<>());

        assertThat(condition("Running")).isEqualTo("True Started");
        Decision next = decide(new Known(plan, List.of(run("r-1", null, RestoreProof.Proof.MEASURED)), null));
        assertThat(next.actions()).isEmpty();
        assertThat(reasons(next)).containsExactly("RunStarted");
        assertThat(status.run()).isEqualTo("r-1");
        assertThat(key).startsWith("kubernetes/uid-1/").isEqualTo(test().requestKey());
        runRequest = "2026-11-30T08:59:00Z";
        assertThat(decide(new Known(plan, List.of(), null)).actions()).hasSize(1);
        assertThat(test().requestKey()).isNotEqualTo(key);
    }

    private static final RunStarter.Answer BUSY = new RunStarter.Answer.Refused("service-busy",
            "service cart is being tested", true);

    /** A look at which the start is tried. */
    private List<ObjectEvent> look(Known known, RunStarter.Answer answer, Instant now) {
        Decision decision = decide(known, now);
        List<ObjectEvent> events = new ArrayList<>(decision.events());
        for (Action action : decision.actions()) {
            if (action instanceof Action.StartRun) {
                status = CapacityTestDecider.started(test(), status, answer, now, events);
            } else if (action instanceof Action.RefuseRun refused) {
                status = CapacityTestDecider.refused(test(), status, refused.reason(), refused.message(), now, events);
            }
        }
        return events;
    }

    @Test
    void a_request_beside_a_live_run_waits_five_minutes_without_another_write_and_is_then_refused_once() {
        Known known = new Known(stored(), List.of(run("r-1", null, RestoreProof.Proof.MEASURED)), null);
        runRequest = NOW.toString();
        look(known, BUSY, NOW);
        assertThat(condition("Requested")).isEqualTo("Unknown Waiting");
        assertThat(condition("Running")).isEqualTo("True Pending");
        CapacityTestStatus before = status;

        assertThat(look(known, BUSY, NOW.plusSeconds(2))).isEmpty();
        assertThat(status).isEqualTo(before);
        List<ObjectEvent> late = look(known, BUSY, NOW.plus(Duration.ofMinutes(6)));

        assertThat(condition("Requested")).isEqualTo("False Expired");
        assertThat(condition("Running")).isEqualTo("True Pending");
        assertThat(late).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("RunRefused");
            assertThat(event.message()).contains("last: service cart is being tested");
        });
        CapacityTestStatus refused = status;
        assertThat(look(known, BUSY, NOW.plus(Duration.ofMinutes(7)))).isEmpty();
        assertThat(status).isEqualTo(refused);
    }

    @Test
    void a_newer_request_has_its_own_five_minutes() {
        Known known = new Known(stored(), List.of(), null);
        runRequest = NOW.toString();
        look(known, BUSY, NOW);
        runRequest = NOW.plus(Duration.ofMinutes(4)).toString();

        look(known, BUSY, NOW.plus(Duration.ofMinutes(4)));
        look(known, BUSY, NOW.plus(Duration.ofMinutes(8)));

        assertThat(condition("Requested")).isEqualTo("Unknown Waiting");
    }

    @Test
    void a_request_that_comes_while_the_object_is_refused_is_answered_and_starts_nothing_later() {
        runRequest = NOW.toString();
        Decision refused = decider.decide(test(), Map.of(), NOTHING, NOW);
        Action.RefuseRun request = (Action.RefuseRun) refused.actions().getFirst();
        status = CapacityTestDecider.refused(test(), refused.status(), request.reason(), request.message(), NOW,
                new ArrayList<>());

        assertThat(condition("Requested")).isEqualTo("False NotOwner");
        assertThat(decide(NOTHING).actions()).extracting(Action::getClass).doesNotContain(Action.StartRun.class);
    }

    @Test
    void a_request_is_a_time_of_the_last_five_minutes_whatever_its_status_says() {
        Known known = new Known(stored(), List.of(), null);
        for (String request : List.of("now", "2026-11-30T08:55:00Z", "2026-11-30T09:01:01Z", "2026-10-20T09:00:00Z")) {
            runRequest = request;
            assertThat(decide(known).actions()).as(request).singleElement().isInstanceOf(Action.RefuseRun.class);
        }
        for (String request : List.of("2026-11-30T08:55:01Z", "2026-11-30T09:01:00Z", "2026-11-30T10:00:00+01:00")) {
            runRequest = request;
            assertThat(decide(known).actions()).as(request).singleElement().isInstanceOf(Action.StartRun.class);
        }
    }

    @Test
    void what_cannot_work_is_refused_at_once() {
        runRequest = NOW.toString();
        look(NOTHING, new RunStarter.Answer.Refused(RejectionReason.NO_PEERS.wireName(),
                "nobody could take its traffic", false), NOW);

        assertThat(condition("Requested")).startsWith("False");
        assertThat(status.runRequest()).isEqualTo(runRequest);
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
                new CapacityTestStatus.Capacity(395.4, null, null, true, "at least 395/s", "from 395 on"));

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
