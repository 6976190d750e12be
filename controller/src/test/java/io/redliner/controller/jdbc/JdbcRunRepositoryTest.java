// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.driver.RunDriver;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.port.DecisionMade;
import io.redliner.controller.port.NewRun;
import io.redliner.controller.port.ServiceBusyException;
import io.redliner.controller.port.StoredRun;
import io.redliner.controller.run.RunBounds;
import io.redliner.controller.run.RunDecider;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunFacts;
import io.redliner.controller.run.RunTimes;
import io.redliner.controller.safety.Start;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

class JdbcRunRepositoryTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123456789Z");

    private static final ConfigurableApplicationContext OTHER = Scene.shared().startController(Map.of());

    private final Scene scene = Scene.shared();

    private final JdbcRunRepository one = scene.context().getBean(JdbcRunRepository.class);

    private final JdbcRunRepository two = OTHER.getBean(JdbcRunRepository.class);

    private final RunQueries queries = scene.context().getBean(RunQueries.class);

    /** A controller that starts takes every live run over: the runs of these tests come after that. */
    @BeforeAll
    static void awaitItsStart() {
        await().until(() -> OTHER.getBean(RunDriver.class).accepting());
    }

    @AfterAll
    static void stopIt() {
        OTHER.close();
    }

    private static NewRun run(String service, @Nullable String key) {
        String id = UUID.randomUUID().toString();
        RunBounds bounds = new RunBounds(new Ppm(500_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1));
        return new NewRun(id, "plan", "hash", "{}", new Start(service, "default", AT, Duration.ofMinutes(30)), null, 0,
                (epoch, grant) -> new RunFacts(id, service, "10.0.0.1:80", epoch, new Ppm(250_000), bounds,
                        RunTimes.DEFAULT, AT),
                key, "body");
    }

    private StoredRun register(String service) throws Exception {
        return ((JdbcRunRepository.Registration.Registered) one.register(run(service, null))).run();
    }

    private void end(StoredRun run) {
        RunEvent abort = new RunEvent.AbortRequested("test");
        if (one.record(List.of(made(run, abort))).isEmpty()) {
            // On a slow machine, a controller has noticed that nobody drives it, and ends it.
            await().until(() -> one.live(run.id()).isEmpty());
        }
    }

    private static DecisionMade made(StoredRun run, RunEvent event) {
        return made(run, event, AT);
    }

    private static DecisionMade made(StoredRun run, RunEvent event, Instant at) {
        return DecisionMade.of(run, event, RunDecider.decide(run.state(), event, at), at);
    }

    @Test
    void two_controllers_never_have_two_live_runs_on_one_service() throws Exception {
        String service = scene.newService();
        List<Callable<JdbcRunRepository.@Nullable Registration>> tries = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            JdbcRunRepository store = number % 2 == 0 ? one : two;
            tries.add(() -> {
                try {
                    return store.register(run(service, null));
                } catch (ServiceBusyException busy) {
                    return null;
                }
            });
        }

        List<JdbcRunRepository.Registration> registered = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<JdbcRunRepository.@Nullable Registration> result : threads.invokeAll(tries)) {
                JdbcRunRepository.Registration registration = result.get();
                if (registration != null) {
                    registered.add(registration);
                }
            }
        }

        assertThat(registered).hasSize(1);
        StoredRun live = ((JdbcRunRepository.Registration.Registered) registered.getFirst()).run();
        assertThat(one.holder(service)).contains(live.id());
        assertThatThrownBy(() -> two.register(run(service, null))).isInstanceOf(ServiceBusyException.class)
                .hasMessageContaining(live.id());
        end(live);
        assertThat(one.holder(service)).isEmpty();
    }

    @Test
    void the_same_key_at_the_same_time_gives_one_run() throws Exception {
        String service = scene.newService();
        List<Callable<String>> tries = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            JdbcRunRepository store = number % 2 == 0 ? one : two;
            tries.add(() -> switch (store.register(run(service, "key of " + service))) {
                case JdbcRunRepository.Registration.Registered registered -> registered.run().id();
                case JdbcRunRepository.Registration.Repeated repeated -> repeated.runId();
            });
        }

        List<String> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<String> id : threads.invokeAll(tries)) {
                ids.add(id.get());
            }
        }

        assertThat(ids).hasSize(10);
        assertThat(ids.stream().distinct()).hasSize(1);
        end(one.live(ids.getFirst()).orElseThrow());
    }

    @Test
    void whoever_lost_the_run_cannot_write_and_leaves_no_trace() throws Exception {
        StoredRun run = register(scene.newService());
        DecisionMade first = made(run, new RunEvent.Submitted(List.of("r1")));

        assertThat(two.record(List.of(first))).containsExactly(run.id());

        assertThat(one.record(List.of(first))).isEmpty();
        assertThat(queries.journal(run.id(), 0, 10, false))
                .containsExactly(new JournalEntry(1, AT, first.event(), first.decision()));
        assertThat(queries.find(run.id())).contains(new StoredRun(run.id(), "plan", "hash", "{}",
                first.after().state(), 1, 1, Instant.parse("2026-01-01T00:00:00.123457Z"), null));
        finish(first.after());
    }

    @Test
    void decisions_of_many_runs_are_kept_together_and_one_that_was_lost_takes_no_other_with_it() throws Exception {
        StoredRun ours = register(scene.newService());
        StoredRun lost = register(scene.newService());
        DecisionMade taken = made(lost, new RunEvent.Submitted(List.of("other")));
        two.record(List.of(taken));
        DecisionMade begun = made(ours, new RunEvent.Submitted(List.of("r1")));
        DecisionMade lease = made(begun.after(), new RunEvent.Tick(), AT.plusSeconds(1));

        Set<String> kept = one
                .record(List.of(begun, made(lost, new RunEvent.Submitted(List.of("r1"))), lease));

        assertThat(kept).containsExactly(ours.id());
        assertThat(queries.find(ours.id()).orElseThrow().state()).isEqualTo(lease.after().state());
        assertThat(queries.journal(ours.id(), 0, 10, false)).containsExactly(
                new JournalEntry(1, AT, begun.event(), begun.decision()),
                new JournalEntry(2, AT.plusSeconds(1), lease.event(), lease.decision()));
        assertThat(queries.journal(lost.id(), 0, 10, false)).extracting(JournalEntry::event)
                .containsExactly(taken.event());
        finish(lease.after());
        finish(taken.after());
    }

    private void finish(StoredRun run) {
        RunEvent takenOver = new RunEvent.TakenOver(one.raiseEpoch(run.state().facts().service(), 0), List.of(), null);
        DecisionMade restoring = made(run, takenOver);
        one.record(List.of(restoring, made(restoring.after(), new RunEvent.Tick(), AT.plusSeconds(60))));
    }

    @Test
    void epochs_grow_over_controllers_and_over_what_redirectors_have_seen() {
        String service = scene.newService();

        assertThat(one.raiseEpoch(service, 0)).isEqualTo(1);
        assertThat(two.raiseEpoch(service, 0)).isEqualTo(2);
        assertThat(one.raiseEpoch(service, 41)).isEqualTo(42);
        assertThat(two.raiseEpoch(service, 3)).isEqualTo(43);
    }

    @Test
    void the_journal_cannot_be_changed() throws Exception {
        StoredRun run = register(scene.newService());
        end(run);
        JdbcClient jdbc = scene.context().getBean(JdbcClient.class);

        assertThatThrownBy(
                () -> jdbc.sql("UPDATE journal SET phase = 'x' WHERE run_id = :id").param("id", run.id()).update())
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> jdbc.sql("DELETE FROM journal WHERE run_id = :id").param("id", run.id()).update())
                .isInstanceOf(DataAccessException.class);
    }
}
