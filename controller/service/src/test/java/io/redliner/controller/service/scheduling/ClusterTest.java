// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.service.persistence.ScheduleQueries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Time goes by minutes here: the clock is moved to the next one. */
@Execution(ExecutionMode.CONCURRENT)
class ClusterTest {

    private static final String EACH_MINUTE = "{cron: \"* * * * *\", missedWithin: 50s}";

    private final Cluster cluster = new Cluster();

    private final Cluster.Node node = cluster.first;

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    private Firing awaitLast(String plan, Firing.State state) {
        await().pollInterval(Duration.ofMillis(50))
                .until(() -> node.last(plan).map(Firing::state).filter(state::equals).isPresent());
        return node.last(plan).orElseThrow();
    }

    @Test
    void three_controllers_fire_a_hundred_plans_once_each_and_lose_none() {
        for (int number = 0; number < 100; number++) {
            node.put(Cluster.plan("plan-" + number, EACH_MINUTE));
        }
        List<Cluster.Node> all = List.of(node, cluster.node("second"), cluster.node("third"));
        Instant one = cluster.nextMinute();
        all.forEach(each -> each.scheduler.start());
        await().until(() -> cluster.calls.size() >= 100);
        // A firing that is still under way when the clock moves on finds the next minute over, and skips it.
        await().until(() -> node.jdbc
                .sql("SELECT count(*) FROM scheduled_tasks WHERE task_name = 'plan' AND NOT picked AND execution_time > :one")
                .param("one", one.atOffset(ZoneOffset.UTC))
                .query(Integer.class)
                .single() == 100);
        Instant two = cluster.nextMinute();
        await().until(() -> cluster.calls.size() >= 200);
        await().until(() -> node.jdbc.sql("SELECT count(*) FROM schedule_firing WHERE state = 'Started'")
                .query(Integer.class)
                .single() == 200);

        assertThat(cluster.calls).hasSize(200);
        assertThat(cluster.runs).hasSize(200);
        assertThat(cluster.calls.stream().map(call -> call.split(" ", -1)[0]).distinct()).hasSize(3);
        for (int number = 0; number < 100; number++) {
            assertThat(node.firings.ofPlan("plan-" + number, null, 10)).extracting(Firing::due)
                    .containsExactly(two, one);
        }
        assertThat(new HashSet<>(node.jdbc.sql("SELECT run_id FROM schedule_firing").query(String.class).list()))
                .hasSize(200);
    }

    @Test
    void what_a_dead_controller_was_doing_is_done_by_another_and_is_the_same_run() {
        Cluster.Node dying = cluster.node("dying");
        dying.stuck = true;
        node.put(Cluster.plan("plan", EACH_MINUTE));
        cluster.nextMinute();
        dying.scheduler.start();
        await().until(() -> cluster.calls.size() == 1);
        node.scheduler.start();

        Firing firing = awaitLast("plan", Firing.State.STARTED);

        assertThat(firing.progress().runId()).isEqualTo(cluster.runs.get(firing.key()));
        assertThat(cluster.runs).hasSize(1);
        assertThat(node.next("plan")).isPresent();
    }

    @Test
    void what_nobody_was_up_for_is_skipped_or_run_as_the_plan_says_and_once() {
        node.put(Cluster.plan("skips", "{interval: 1h}"));
        node.put(Cluster.plan("runs", "{interval: 1h, missed: run, missedWithin: 90m}"));
        node.put(Cluster.plan("too-late", "{cron: \"0 0 1 1 *\", missed: run, missedWithin: 1h}"));
        cluster.ahead = Duration.ofDays(400).plusHours(3).plusMinutes(30);
        node.scheduler.start();

        assertThat(awaitLast("skips", Firing.State.SKIPPED).progress().reason()).contains("nobody was up");
        Firing late = awaitLast("runs", Firing.State.STARTED);
        assertThat(Duration.between(late.due(), late.progress().firedAt())).isBetween(Duration.ofMinutes(1),
                Duration.ofMinutes(90));
        assertThat(awaitLast("too-late", Firing.State.SKIPPED).progress().reason()).contains("the plan allows 1h");
        assertThat(cluster.calls).hasSize(1);
        for (String plan : List.of("skips", "runs", "too-late")) {
            await().until(() -> node.next(plan).filter(cluster.clock.instant()::isBefore).isPresent());
        }
    }

    @Test
    void a_busy_service_is_tried_again_and_given_up_when_it_is_too_late() {
        cluster.busy = true;
        node.put(Cluster.plan("patient", "{cron: \"* * * * *\", missedWithin: 50s}"));
        node.scheduler.start();
        Instant due = cluster.nextMinute();

        Firing waiting = awaitLast("patient", Firing.State.WAITING);
        assertThat(waiting.progress().code()).isEqualTo("service-busy");
        assertThat(waiting.progress().reason()).contains("being tested");
        await().until(() -> node.last("patient").orElseThrow().progress().attempts() >= 2);
        cluster.ahead = cluster.ahead.plusSeconds(52);
        await().until(() -> node.firings.ofPlan("patient", null, 10)
                .stream()
                .anyMatch(firing -> firing.due().equals(due) && firing.state() == Firing.State.REFUSED));
        cluster.busy = false;
        cluster.nextMinute();
        assertThat(awaitLast("patient", Firing.State.STARTED).progress().attempts()).isEqualTo(1);
    }

    @Test
    void a_service_that_becomes_free_gets_the_run_that_waited() {
        cluster.busy = true;
        node.put(Cluster.plan("patient", EACH_MINUTE));
        node.scheduler.start();
        Instant due = cluster.nextMinute();
        awaitLast("patient", Firing.State.WAITING);

        cluster.busy = false;

        Firing started = awaitLast("patient", Firing.State.STARTED);
        assertThat(started.due()).isEqualTo(due);
        assertThat(started.progress().attempts()).isGreaterThan(1);
    }

    @Test
    void scheduled_tasks_change_in_the_transaction_that_changes_the_plan() {
        node.put(Cluster.plan("plan", "{cron: \"0 9 * * *\"}"));
        Optional<Instant> nine = node.next("plan");
        assertThatThrownBy(() -> node.transaction.executeWithoutResult(status -> {
            node.put(Cluster.plan("plan", "{cron: \"0 10 * * *\"}"));
            throw new IllegalStateException("undone");
        })).hasMessage("undone");
        assertThat(node.next("plan")).isEqualTo(nine);

        node.put(Cluster.plan("plan", "{cron: \"0 10 * * *\"}"));
        assertThat(node.next("plan").orElseThrow().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofHours(10)))
                .isEqualTo(node.next("plan").orElseThrow());
        assertThat(tasks()).isEqualTo(1);

        assertThat(node.plans.delete("plan")).isTrue();
        assertThat(tasks()).isZero();
        assertThat(node.queries.list(null, "", 10)).isEmpty();
    }

    private int tasks() {
        return node.jdbc.sql("SELECT count(*) FROM scheduled_tasks").query(Integer.class).single();
    }

    @Test
    void a_pause_outlives_a_new_version_and_nothing_is_made_up_for() {
        node.put(Cluster.plan("plan", EACH_MINUTE));
        assertThat(node.schedules.pause("plan", "Black Friday")).isTrue();
        node.put(Cluster.plan("plan", "{cron: \"*/2 * * * *\"}"));
        assertThat(node.next("plan")).isEmpty();
        assertThat(node.queries.find("plan").map(ScheduleQueries.Overview::pause).map(ScheduleQueries.Pause::reason))
                .contains("Black Friday");
        node.scheduler.start();
        cluster.nextMinute();
        cluster.nextMinute();
        cluster.nextMinute();

        assertThat(node.schedules.resume("plan")).isTrue();

        assertThat(node.next("plan").orElseThrow()).isAfter(cluster.clock.instant());
        assertThat(node.schedules.pause("nobody", "x")).isFalse();
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void an_interval_goes_on_when_something_else_of_the_plan_changes() {
        node.put(Cluster.plan("plan", "{interval: 6h}"));
        Optional<Instant> due = node.next("plan");
        cluster.ahead = Duration.ofHours(2);

        node.put(Cluster.plan("plan", "{interval: 6h}").replace("0.001", "0.002"));
        assertThat(node.next("plan")).isEqualTo(due);
        node.put(Cluster.plan("plan", "{interval: 5h}"));
        assertThat(node.next("plan").orElseThrow()).isAfter(due.orElseThrow());
    }

    @Test
    void a_calendar_that_changes_moves_the_firings_of_its_plans() {
        cluster.calendars.put("holidays", at -> Optional.empty());
        node.put(Cluster.plan("plan", "{cron: \"0 9 * * *\", except: [holidays]}"));
        Instant before = node.next("plan").orElseThrow();
        Instant end = before.plus(Duration.ofHours(1));

        cluster.calendars.put("holidays", at -> at.isBefore(end) ? Optional.of(end) : Optional.empty());
        node.transaction.executeWithoutResult(status -> node.schedules.calendarChanged("holidays"));

        assertThat(node.next("plan")).contains(before.plus(Duration.ofDays(1)));
    }

    @Test
    void a_calendar_that_is_gone_stops_its_plans_and_says_so() {
        cluster.calendars.put("holidays", at -> Optional.empty());
        node.put(Cluster.plan("plan", "{cron: \"* * * * *\", except: [holidays], missedWithin: 30s}"));
        cluster.calendars.clear();
        node.scheduler.start();
        cluster.nextMinute();

        Firing waiting = awaitLast("plan", Firing.State.WAITING);
        assertThat(waiting.progress().reason()).contains("no calendar holidays");
        cluster.calendars.put("holidays", at -> Optional.empty());
        awaitLast("plan", Firing.State.STARTED);
    }
}
