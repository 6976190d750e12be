// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.core.schedule.DueFiring;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.service.persistence.UnreadableRowException;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A plan that another version of RedLiner wrote, between plans that can be read. */
@Execution(ExecutionMode.CONCURRENT)
class UnreadablePlanTest {

    private final Cluster cluster = new Cluster();

    private final Cluster.Node node = cluster.first;

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    private void breakPlan(String plan) {
        node.jdbc.sql("""
                UPDATE plan_version SET content = jsonb_set(content, '{apiVersion}', '"redliner.io/v9"')
                WHERE plan_name = :plan""").param("plan", plan).update();
    }

    private void mend(String plan) {
        node.jdbc.sql("""
                UPDATE plan_version SET content = jsonb_set(content, '{apiVersion}', '"redliner.io/v1"')
                WHERE plan_name = :plan""").param("plan", plan).update();
    }

    private int tasks() {
        return node.jdbc.sql("SELECT count(*) FROM scheduled_tasks WHERE task_name = 'plan'").query(Integer.class)
                .single();
    }

    @Test
    void a_deployment_starts_the_others_and_says_which_plan_it_could_not_start() {
        for (String plan : List.of("a", "b", "c")) {
            node.put(Cluster.plan(plan, "{on: [deployment]}"));
        }
        breakPlan("b");
        Instant now = cluster.clock.instant();

        List<Firing> firings = node.deployments.start(node.transaction
                .execute(status -> node.deployments.plan("d-1", "shop", now, now)));

        assertThat(firings).extracting(Firing::plan).containsExactly("a", "b", "c");
        assertThat(firings).extracting(Firing::state).containsExactly(Firing.State.STARTED, Firing.State.SKIPPED,
                Firing.State.STARTED);
        assertThat(firings.get(1).progress().code()).isEqualTo("plan-unreadable");
        assertThat(node.unreadable.named()).containsEntry("plan", List.of("b"));
    }

    @Test
    void one_that_waits_for_its_delay_is_skipped_when_its_plan_became_unreadable() {
        node.put(Cluster.plan("a", "{on: [deployment], delay: 10m}"));
        Instant now = cluster.clock.instant();
        node.transaction.executeWithoutResult(status -> node.deployments.plan("d-1", "shop", now, now));
        breakPlan("a");
        node.scheduler.start();
        cluster.ahead = cluster.ahead.plusMinutes(11);

        await().until(() -> node.last("a").filter(firing -> firing.state() == Firing.State.SKIPPED).isPresent());

        assertThat(node.last("a").orElseThrow().progress().code()).isEqualTo("plan-unreadable");
    }

    @Test
    void by_the_clock_the_others_start_and_it_is_tried_again_until_it_can_be_read() {
        node.put(Cluster.plan("bad", "{cron: \"* * * * *\", missedWithin: 50s}"));
        node.put(Cluster.plan("good", "{cron: \"* * * * *\", missedWithin: 50s}"));
        breakPlan("bad");
        cluster.nextMinute();
        node.scheduler.start();

        await().until(() -> node.last("good").filter(firing -> firing.state() == Firing.State.STARTED).isPresent());
        await().until(() -> node.unreadable.count(UnreadableRows.Kind.PLAN) == 1);
        assertThat(node.last("bad")).isEmpty();
        mend("bad");

        await().until(() -> node.last("bad").filter(firing -> firing.state() == Firing.State.STARTED).isPresent());
        assertThat(node.unreadable.named()).isEmpty();
    }

    @Test
    void a_calendar_can_be_changed_and_what_comes_next_be_asked_for_although_a_plan_cannot_be_read() {
        cluster.calendars.put("holidays", at -> Optional.empty());
        node.put(Cluster.plan("bad", "{cron: \"0 * * * *\", except: [holidays]}"));
        node.put(Cluster.plan("good", "{cron: \"0 * * * *\", except: [holidays]}"));
        breakPlan("bad");

        node.transaction.executeWithoutResult(status -> node.schedules.calendarChanged("holidays"));

        assertThat(node.next("good")).isPresent();
        assertThat(node.upcoming.before(cluster.clock.instant().plus(Duration.ofHours(3)), null, 100))
                .extracting(DueFiring::plan).containsOnlyOnce("bad").contains("good", "good");
    }

    @Test
    void a_schedule_whose_calendar_cannot_be_read_holds_up_no_other() {
        cluster.calendars.put("gone", at -> Optional.empty());
        cluster.calendars.put("there", at -> Optional.empty());
        node.put(Cluster.plan("bad", "{cron: \"0 * * * *\", except: [gone]}"));
        node.put(Cluster.plan("good", "{cron: \"0 * * * *\", except: [there]}"));
        cluster.calendars.remove("gone");
        node.jdbc.sql("DELETE FROM scheduled_tasks WHERE task_name = 'plan'").update();

        node.schedules.reconcile();
        assertThat(node.next("good")).isPresent();
        assertThat(node.next("bad")).isEmpty();

        cluster.calendars.put("gone", at -> Optional.empty());
        node.schedules.reconcile();
        assertThat(node.next("bad")).isPresent();
    }

    @Test
    void a_pause_of_it_is_not_ended_and_it_is_said_why() {
        node.put(Cluster.plan("bad", "{interval: 1h}"));
        node.schedules.pause("bad", "broken");
        breakPlan("bad");

        assertThatThrownBy(() -> node.schedules.resume("bad")).isInstanceOf(UnreadableRowException.class)
                .hasMessageContaining("plan bad");

        assertThat(node.queries.find("bad").orElseThrow().pause()).isNotNull();
    }

    /** What is left of a schedule that was resumed while the scheduler was about to find it paused. */
    @Test
    void a_schedule_without_a_task_comes_back_within_a_minute() {
        node.put(Cluster.plan("lost", "{interval: 1h}"));
        node.put(Cluster.plan("paused", "{interval: 1h}"));
        node.put(Cluster.plan("unreadable", "{interval: 1h}"));
        node.put(Cluster.plan("after-deployments", "{on: [deployment]}"));
        node.schedules.pause("paused", "not now");
        breakPlan("unreadable");
        node.jdbc.sql("DELETE FROM scheduled_tasks WHERE task_name = 'plan'").update();
        node.scheduler.start();

        await().until(() -> node.next("lost").isPresent());

        assertThat(tasks()).isEqualTo(1);
    }
}
