// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.RunRepository.RunVersion;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.CanonicalPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every repository of runs does. Two of them are two controllers' views of the same runs. */
public abstract class RunRepositoryContract {

    protected static final Instant AT = Instant.parse("2026-01-01T00:00:00.123456Z");

    private final RunRepository one = first();

    private final RunRepository two = second();

    protected abstract RunRepository first();

    /** Of another controller, over the same runs. */
    protected abstract RunRepository second();

    /** The events of a run's journal, in their order. */
    protected abstract List<RunEvent> journal(String runId);

    protected static RunOrder order(String service) {
        return order(service, null);
    }

    private static RunOrder order(String service, @Nullable String conflictGroup) {
        RunBounds bounds = new RunBounds(new Share(500_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1));
        RunFacts facts = new RunFacts(UUID.randomUUID().toString(), service, "10.0.0.1:80", 0, new Share(250_000),
                bounds, RunTimeouts.DEFAULT, AT);
        return new RunOrder(new CanonicalPlan("plan", "hash", "{}"), conflictGroup, "default", 0, facts, List.of());
    }

    private static String newService() {
        return "service-" + UUID.randomUUID();
    }

    private StoredRun register(String service) throws Exception {
        return one.register(order(service), null, "body");
    }

    protected static DecisionRecord made(StoredRun run, RunEvent event) {
        return made(run, event, AT);
    }

    private static DecisionRecord made(StoredRun run, RunEvent event, Instant at) {
        return new DecisionRecord(run, null, event, RunDecider.decide(run.state(), event, at), at);
    }

    private StoredRun ended(StoredRun run) {
        RunEvent takenOver = new RunEvent.TakenOver(one.raiseEpoch(run.state().facts().service(), 0), List.of(), null);
        List<DecisionRecord> end = new ArrayList<>(List.of(made(run, takenOver)));
        if (end.getFirst().after().state().phase() != RunPhase.FINISHED) {
            end.add(made(end.getFirst().after(), new RunEvent.Tick(), AT.plusSeconds(60)));
        }
        assertThat(one.record(end)).containsExactly(run.id());
        return end.getLast().after();
    }

    @Test
    void two_controllers_never_have_two_live_runs_on_one_service() throws Exception {
        String service = newService();
        List<Callable<@Nullable StoredRun>> tries = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            RunRepository store = number % 2 == 0 ? one : two;
            tries.add(() -> {
                try {
                    return store.register(order(service), null, "body");
                } catch (RunRejectedException busy) {
                    return null;
                }
            });
        }

        List<StoredRun> registered = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<@Nullable StoredRun> result : threads.invokeAll(tries)) {
                StoredRun run = result.get();
                if (run != null) {
                    registered.add(run);
                }
            }
        }

        assertThat(registered).hasSize(1);
        StoredRun live = registered.getFirst();
        assertThat(one.holder(service)).contains(live.id());
        assertThatThrownBy(() -> two.register(order(service), null, "body")).isInstanceOf(RunRejectedException.class)
                .hasMessageContaining(live.id());
        ended(live);
        assertThat(one.holder(service)).isEmpty();
    }

    @Test
    void the_same_key_at_the_same_time_gives_one_run() throws Exception {
        String service = newService();
        List<Callable<String>> tries = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            RunRepository store = number % 2 == 0 ? one : two;
            tries.add(() -> store.register(order(service), "key of " + service, "body").id());
        }

        List<String> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<String> id : threads.invokeAll(tries)) {
                ids.add(id.get());
            }
        }

        assertThat(ids).hasSize(10);
        assertThat(ids.stream().distinct()).hasSize(1);
    }

    @Test
    void a_controller_that_lost_the_run_cannot_write_and_leaves_no_trace() throws Exception {
        StoredRun run = register(newService());
        DecisionRecord first = made(run, new RunEvent.Submitted(List.of("r1")));

        assertThat(two.record(List.of(first))).containsExactly(run.id());

        assertThat(one.record(List.of(first))).isEmpty();
        assertThat(journal(run.id())).containsExactly(first.event());
        assertThat(one.find(run.id()))
                .contains(new StoredRun(run.id(), new CanonicalPlan("plan", "hash", "{}"), first.after().state(), 1, 1,
                        AT, null));
        ended(first.after());
    }

    @Test
    void decisions_of_many_runs_are_kept_together_and_one_that_was_lost_takes_no_other_with_it() throws Exception {
        StoredRun ours = register(newService());
        StoredRun lost = register(newService());
        DecisionRecord taken = made(lost, new RunEvent.Submitted(List.of("other")));
        two.record(List.of(taken));
        DecisionRecord begun = made(ours, new RunEvent.Submitted(List.of("r1")));
        DecisionRecord lease = made(begun.after(), new RunEvent.Tick(), AT.plusSeconds(1));

        Set<String> kept = one
                .record(List.of(begun, made(lost, new RunEvent.Submitted(List.of("r1"))), lease));

        assertThat(kept).containsExactly(ours.id());
        assertThat(one.find(ours.id()).orElseThrow().state()).isEqualTo(lease.after().state());
        assertThat(journal(ours.id())).containsExactly(begun.event(), lease.event());
        assertThat(journal(lost.id())).containsExactly(taken.event());
        ended(lease.after());
        ended(taken.after());
    }

    @Test
    void epochs_grow_over_controllers_and_over_what_redirectors_have_seen() {
        String service = newService();

        assertThat(one.raiseEpoch(service, 0)).isEqualTo(1);
        assertThat(two.raiseEpoch(service, 0)).isEqualTo(2);
        assertThat(one.raiseEpoch(service, 41)).isEqualTo(42);
        assertThat(two.raiseEpoch(service, 3)).isEqualTo(43);
        assertThat(one.raiseEpoch(service, Long.MAX_VALUE)).as("no controller made that").isEqualTo(44);
        assertThat(one.raiseEpoch(service, -1)).as("nor that").isEqualTo(45);
        assertThat(one.raiseEpoch(newService(), Long.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void a_registered_run_is_pending_with_an_epoch_above_those_that_redirectors_follow() throws Exception {
        for (long seen : List.of(41L, Long.MAX_VALUE)) {
            RunOrder order = order(newService());
            RunOrder followed = new RunOrder(order.plan(), null, order.cluster(),
                    seen,
                    order.facts(), List.of());

            StoredRun run = one.register(followed, null, "body");

            assertThat(run.state()).isEqualTo(new RunState.Pending(order.facts().withEpoch(seen == 41 ? 42 : 1)));
            assertThat(two.find(run.id())).contains(run);
            ended(run);
        }
    }

    @Test
    void a_conflict_group_has_one_live_run() throws Exception {
        String group = newService();
        StoredRun live = one.register(order(newService(), group), null, "body");

        assertThatThrownBy(() -> two.register(order(newService(), group), null, "body"))
                .isInstanceOf(RunRejectedException.class)
                .hasMessageContaining(group).hasMessageContaining(live.id());
        ended(live);

        RunOrder next = order(newService(), group);
        assertThat(two.register(next, null, "body").id()).isEqualTo(next.facts().runId());
    }

    @Test
    void a_key_with_another_body_is_a_conflict() throws Exception {
        RunOrder first = order(newService());
        String key = newService();
        StoredRun run = one.register(first, key, "body");

        assertThat(run.id()).isEqualTo(first.facts().runId());
        assertThat(two.findByIdempotencyKey(key, "body")).contains(run);
        assertThat(two.register(order(newService()), key, "body")).isEqualTo(run);
        assertThat(two.findByIdempotencyKey("another " + key, "body")).isEmpty();
        assertThatThrownBy(() -> two.findByIdempotencyKey(key, "another body"))
                .isInstanceOf(RunRejectedException.class);
    }

    @Test
    void a_run_that_was_let_go_is_free_until_its_next_decision() throws Exception {
        StoredRun run = register(newService());
        assertThat(two.runVersions()).contains(new RunVersion(run.id(), 0, false));
        StoredRun begun = made(run, new RunEvent.Submitted(List.of("r1"))).after();
        one.record(List.of(made(run, new RunEvent.Submitted(List.of("r1")))));

        assertThat(one.release(List.of(run))).as("at a version that is over").isEmpty();
        assertThat(one.release(List.of(begun))).containsExactly(run.id());
        assertThat(two.runVersions()).contains(new RunVersion(run.id(), 1, true));
        two.record(List.of(made(begun, new RunEvent.Tick(), AT.plusSeconds(1))));

        assertThat(one.runVersions()).contains(new RunVersion(run.id(), 2, false));
    }

    @Test
    void a_finished_run_waits_for_its_final_record_until_that_is_delivered_or_replaced() throws Exception {
        String service = newService();
        StoredRun first = ended(register(service));
        assertThat(first.state().phase()).isEqualTo(RunPhase.FINISHED);
        assertThat(two.live(first.id())).isEmpty();
        assertThat(two.runVersions()).extracting(RunVersion::runId).doesNotContain(first.id());
        assertThat(two.finishedUnpublished()).extracting(StoredRun::id).contains(first.id());

        StoredRun second = ended(register(service));
        assertThat(two.finishedUnpublished()).extracting(StoredRun::id).contains(second.id())
                .doesNotContain(first.id());
        one.markFinalPublished(second.id(), AT);

        assertThat(two.finishedUnpublished()).extracting(StoredRun::id).doesNotContain(second.id());
    }
}
