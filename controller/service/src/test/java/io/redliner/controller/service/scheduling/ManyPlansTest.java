// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.service.persistence.ScheduleQueries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Bounds are several times what two cores need; what was measured is printed. */
@Execution(ExecutionMode.CONCURRENT)
class ManyPlansTest {

    private final Cluster cluster = new Cluster();

    private final Cluster.Node node = cluster.first;

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    private String explain(String sql) {
        return String.join("\n", node.jdbc.sql("EXPLAIN (COSTS OFF) " + sql).query(String.class).list());
    }

    private static Duration since(Instant from) {
        return Duration.between(from, InstantSource.system().instant());
    }

    @Test
    void hundreds_that_are_due_at_once_are_started_once_each() {
        startedOnceEach(300);
    }

    @Test
    @Tag("soak")
    void ten_thousand_are_loaded_due_and_listed_in_time_and_by_index() {
        Times times = startedOnceEach(10_000);

        assertThat(times.due()).contains("Index Scan using scheduled_tasks_due").doesNotContain("Seq Scan");
        assertThat(times.list()).contains("plan_schedule_plan_name_key").doesNotContain("Seq Scan");
        assertThat(times.loaded()).isLessThan(Duration.ofMinutes(3));
        assertThat(times.firstPicked()).isLessThan(Duration.ofSeconds(30));
        assertThat(times.listed()).isLessThan(Duration.ofSeconds(15));
    }

    private record Times(Duration loaded, Duration firstPicked, Duration listed, String due, String list) {}

    private Times startedOnceEach(int plans) {
        Instant loading = InstantSource.system().instant();
        node.transaction.executeWithoutResult(status -> {
            for (int number = 0; number < plans; number++) {
                node.put(Cluster.plan("plan-" + number,
                        "{cron: \"0 9 * * *\", zone: Europe/Berlin, missedWithin: 24h}"));
            }
        });
        Duration loaded = since(loading);
        node.jdbc.sql("ANALYZE").update();
        String due = explain("""
                SELECT task_name, task_instance FROM scheduled_tasks WHERE picked = false AND execution_time <= now()
                ORDER BY execution_time ASC FOR UPDATE SKIP LOCKED LIMIT 8""");
        String list = explain("""
                SELECT s.*, t.execution_time FROM plan_schedule s
                LEFT JOIN scheduled_tasks t ON t.task_name = 'plan' AND t.task_instance = CAST(s.id AS text)
                WHERE s.plan_name > 'plan-5' ORDER BY s.plan_name LIMIT 50""");

        Instant nine = node.next("plan-0").orElseThrow();
        cluster.ahead = Duration.between(InstantSource.system().instant(), nine).plusMillis(5);
        Instant started = InstantSource.system().instant();
        node.scheduler.start();
        await().pollInterval(Duration.ofMillis(10))
                .until(() -> !cluster.calls.isEmpty());
        Duration firstPicked = since(started);
        await().atMost(Duration.ofMinutes(3)).until(() -> cluster.calls.size() >= plans);
        Duration allPicked = since(started);
        await().until(() -> node.queries.oldestLateness(cluster.clock.instant()).isZero());
        Instant listing = InstantSource.system().instant();
        List<ScheduleQueries.Overview> page = node.queries.list(null, "plan-5", 50);
        Duration listed = since(listing);
        System.out.printf(
                "%d plans: stored in %s, first due started after %s, all after %s, a page of 50 in %s%n%s%n%s%n",
                plans, loaded, firstPicked, allPicked, listed, due, list);

        assertThat(cluster.calls).hasSize(plans);
        assertThat(new HashSet<>(cluster.calls)).hasSize(plans);
        assertThat(page).hasSize(50).allMatch(one -> one.last() != null && one.next() != null);
        return new Times(loaded, firstPicked, listed, due, list);
    }
}
