// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.scene.VirtualTime;
import io.redliner.controller.service.persistence.RetainedData;
import io.redliner.controller.service.persistence.RetentionRepository;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What is removed, and what never is, on a real database without a controller. */
@SequentialTests
class RetentionJobTest {

    private static final Instant NOW = Instant.parse("2026-11-22T00:00:00Z");

    /** As old as something of each kind may get. */
    private static final Map<RetainedData, Duration> KEPT = Map.of(RetainedData.KEYS, Duration.ofDays(1),
            RetainedData.FIRINGS,
            Duration.ofDays(90), RetainedData.DEPLOYMENTS, Duration.ofDays(400), RetainedData.AUDIT,
            Duration.ofDays(400),
            RetainedData.RUN_DETAILS, Duration.ofDays(400));

    private static final Duration SHORT = Duration.ofDays(30);

    /** Details that are kept for less than some months go run by run. */
    private static final Map<String, Object> RUN_BY_RUN = Map.of("redliner.controller.retention.run-details", "30d");

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final DriverManagerDataSource SOURCE = new DriverManagerDataSource(DATABASE.jdbcUrl());

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private final ServiceCatalog catalog = new ServiceCatalog(InstantSource.fixed(NOW.minus(Duration.ofDays(8))),
            Duration.ofSeconds(3));

    @AfterAll
    static void stop() {
        DATABASE.close();
    }

    @BeforeEach
    void empty() {
        JDBC.sql("TRUNCATE run, journal, judged_window, series, schedule_firing, deployment CASCADE").update();
    }

    private static RetentionProperties properties(Map<String, Object> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("redliner.controller.retention", RetentionProperties.class);
    }

    private RetentionJob retention(Map<String, Object> settings) {
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(SOURCE));
        return new RetentionJob(new RetentionRepository(JDBC, transaction), catalog, properties(settings),
                InstantSource.fixed(NOW), meters, new VirtualTime(NOW).ticker());
    }

    private double removed(String kind) {
        return meters.counter("redliner.retention.removed", "kind", kind).count();
    }

    private static Instant young(RetainedData kind) {
        return NOW.minus(KEPT.getOrDefault(kind, Duration.ZERO)).plusSeconds(60);
    }

    private static Instant old(RetainedData kind) {
        return NOW.minus(KEPT.getOrDefault(kind, Duration.ZERO)).minusSeconds(60);
    }

    private static void insert(String sql, Map<String, Object> parameters) {
        JDBC.sql(sql).params(parameters).update();
    }

    private static Object sql(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static void run(String id, String phase, Instant finishedAt, int rows) {
        insert("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, first_state, finished_at, peaks_at)
                VALUES (:id, :id, 'a:1', 'plan', 'hash', '{}', :phase, 1, '{}', 1, :rows, :at, '{}', :at, :at)""",
                Map.of("id", id, "phase", phase, "rows", rows, "at", sql(finishedAt)));
        insert("""
                INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                SELECT :id, n, :at, 0, 'Ramping', true, 1, '{}', '{}' FROM generate_series(1, :rows) n""",
                Map.of("id", id, "rows", rows, "at", sql(finishedAt)));
        insert("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT :id, n, :at, 'Ramping', 'HOLDS', 1, '{}' FROM generate_series(1, :rows) n""",
                Map.of("id", id, "rows", rows, "at", sql(finishedAt)));
        insert("INSERT INTO step (run_id, number, content) VALUES (:id, 1, '{}')", Map.of("id", id));
        insert("INSERT INTO run_request (run_id, event, at) VALUES (:id, '{}', :at)",
                Map.of("id", id, "at", sql(finishedAt)));
    }

    private static void firing(String key, String state, Instant at) {
        insert("""
                INSERT INTO schedule_firing (key, plan_name, plan_version, due_at, cause, deployment_id, state,
                                             attempts, fired_at)
                VALUES (:key, 'plan', 1, :at, 'Clock', :key, :state, 1, :at)""",
                Map.of("key", key, "state", state, "at", sql(at)));
    }

    private static void deployment(String id, Instant at) {
        insert("INSERT INTO deployment (id, service, version, instances, at, received_at)"
                + " VALUES (:id, 'shop', '1', '{}', :at, :at)", Map.of("id", id, "at", sql(at)));
    }

    private static void key(String key, String run, Instant at) {
        insert("INSERT INTO idempotency_key (key, body_hash, run_id, created_at) VALUES (:key, 'hash', :run, :at)",
                Map.of("key", key, "run", run, "at", sql(at)));
    }

    private static void entry(String actor, Instant at) {
        insert("""
                WITH entry AS (INSERT INTO audit_entry (at, actor, kind, address, method, resource)
                    VALUES (:at, :actor, 'token', 'here', 'POST', '/runs') RETURNING id)
                INSERT INTO audit_outcome (entry_id, at, status) SELECT id, :at, 202 FROM entry""",
                Map.of("actor", actor, "at", sql(at)));
    }

    private static List<String> all(String what, String table) {
        return JDBC.sql("SELECT " + what + " FROM " + table + " ORDER BY 1").query(String.class).list();
    }

    private static long rows(String table, String run) {
        return JDBC.sql("SELECT count(*) FROM " + table + " WHERE run_id = :run")
                .param("run", run)
                .query(Long.class)
                .single();
    }

    @Test
    void firings_and_deployments_go_when_they_are_old_and_nothing_waits_for_them() {
        firing("old", "Started", old(RetainedData.FIRINGS));
        firing("young", "Refused", young(RetainedData.FIRINGS));
        firing("waits", "Waiting", old(RetainedData.DEPLOYMENTS));
        deployment("older", old(RetainedData.DEPLOYMENTS));
        deployment("younger", young(RetainedData.DEPLOYMENTS));
        deployment("waits", old(RetainedData.DEPLOYMENTS));

        retention(Map.of()).run();

        assertThat(all("key", "schedule_firing")).containsExactly("waits", "young");
        assertThat(all("id", "deployment")).containsExactly("waits", "younger");
        assertThat(removed("firings")).isEqualTo(1);
        assertThat(removed("deployments")).isEqualTo(1);
    }

    private static void seriesKey(String key, boolean over) {
        JDBC.sql(
                """
                        INSERT INTO series (id, service, plan_name, plan_hash, plan, state, version, created_at, finished_at)
                        VALUES (:id, 'shop', 'p', 'h', '{}', '{}', 0, :at, CAST(:finished AS timestamptz))""")
                .param("id", key)
                .param("at", sql(old(RetainedData.KEYS)))
                .param("finished", over ? sql(old(RetainedData.KEYS)) : null)
                .update();
        JDBC.sql("INSERT INTO idempotency_key (key, body_hash, series_id, created_at) VALUES (:key, 'h', :key, :at)")
                .param("key", key)
                .param("at", sql(old(RetainedData.KEYS)))
                .update();
    }

    @Test
    void a_key_is_forgotten_when_it_is_old_and_its_run_is_over() {
        run("over", "Finished", NOW, 1);
        run("live", "Ramping", NOW, 1);
        key("old", "over", old(RetainedData.KEYS));
        key("young", "over", young(RetainedData.KEYS));
        key("old-live", "live", old(RetainedData.KEYS));
        seriesKey("old-series", true);
        seriesKey("old-live-series", false);

        retention(Map.of()).run();

        assertThat(all("key", "idempotency_key")).containsExactly("old-live", "old-live-series", "young");
    }

    @Test
    void the_audit_log_loses_its_old_end_and_nobody_can_take_out_anything_else() {
        entry("first", old(RetainedData.AUDIT));
        entry("second", young(RetainedData.AUDIT));

        retention(Map.of()).run();

        assertThat(all("actor", "audit_entry")).containsExactly("second");
        assertThat(all("entry_id", "audit_outcome")).hasSize(1);
        for (String statement : List.of("DELETE FROM audit_outcome", "DELETE FROM audit_entry",
                "UPDATE audit_entry SET actor = 'me'", "TRUNCATE audit_outcome")) {
            assertThatThrownBy(() -> JDBC.sql(statement).update()).hasMessageContaining("append-only");
        }
    }

    @Test
    void journal_and_windows_of_an_old_run_go_in_pieces_and_the_run_stays() {
        int rows = 2 * RetentionRepository.BATCH + 300;
        run("old", "Finished", NOW.minus(SHORT).minusSeconds(60), rows);
        run("young", "Finished", NOW.minus(SHORT).plusSeconds(60), 20);

        retention(RUN_BY_RUN).run();

        assertThat(rows("journal", "old") + rows("judged_window", "old") + rows("run_request", "old")).isZero();
        assertThat(rows("step", "old")).isEqualTo(1);
        assertThat(rows("journal", "young")).isEqualTo(20);
        assertThat(all("details", "run")).containsExactly("Gone", "Kept");
        assertThat(removed("run-details")).isEqualTo(2.0 * rows);
        assertThatThrownBy(() -> JDBC.sql("DELETE FROM journal WHERE run_id = 'young'").update())
                .hasMessageContaining("append-only");
    }

    @Test
    void many_short_runs_go_in_one_look() {
        insert("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, first_state, finished_at, peaks_at)
                SELECT 'run-' || n, 'shop', 'a:1', 'plan', 'hash', '{}', 'Finished', 1, '{}', 1, 1, :at, '{}', :at, :at
                FROM generate_series(1, 300) n""", Map.of("at", sql(NOW.minus(SHORT).minusSeconds(60))));
        insert("""
                INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                SELECT 'run-' || n, 1, :at, 0, 'Ramping', true, 1, '{}', '{}' FROM generate_series(1, 300) n""",
                Map.of("at", sql(NOW.minus(SHORT).minusSeconds(60))));

        retention(RUN_BY_RUN).run();

        assertThat(all("DISTINCT details", "run")).containsExactly("Gone");
        assertThat(removed("run-details")).isEqualTo(300);
    }

    @Test
    void a_run_whose_journal_begins_to_go_says_so_from_the_first_piece_on() {
        run("old", "Finished", old(RetainedData.RUN_DETAILS), RetentionRepository.BATCH + 1);
        RetentionRepository store = new RetentionRepository(JDBC,
                new TransactionTemplate(new JdbcTransactionManager(SOURCE)));

        RetentionRepository.Removed first = store.removeSome(RetainedData.RUN_DETAILS, NOW);

        assertThat(first).isEqualTo(new RetentionRepository.Removed(RetentionRepository.BATCH, true));
        assertThat(all("details", "run")).containsExactly("Going");
    }

    @Test
    void nothing_of_a_live_run_or_of_one_whose_peaks_are_still_needed_goes() {
        run("live", "Ramping", old(RetainedData.RUN_DETAILS), 5);
        run("unread", "Finished", old(RetainedData.RUN_DETAILS), 5);
        JDBC.sql("UPDATE run SET peaks_at = NULL WHERE id = 'unread'").update();

        retention(RUN_BY_RUN).run();

        assertThat(rows("journal", "live")).isEqualTo(5);
        assertThat(rows("judged_window", "unread")).isEqualTo(5);
        JDBC.sql("UPDATE run SET details = 'Going'").update();
        assertThatThrownBy(() -> JDBC.sql("DELETE FROM journal WHERE run_id = 'live'").update())
                .as("also when somebody says that it goes").hasMessageContaining("append-only");
    }

    @Test
    void three_controllers_at_once_remove_each_row_once() throws Exception {
        for (int number = 0; number < 12; number++) {
            run("run-" + number, "Finished", old(RetainedData.RUN_DETAILS), 500);
        }
        insert("""
                INSERT INTO schedule_firing (key, plan_name, plan_version, due_at, cause, deployment_id, state,
                                             attempts, fired_at)
                SELECT 'firing-' || n, 'plan', 1, :at, 'Clock', 'firing-' || n, 'Started', 1, :at
                FROM generate_series(1, 3000) n""", Map.of("at", sql(old(RetainedData.FIRINGS))));

        try (ExecutorService controllers = Executors.newFixedThreadPool(3)) {
            List<Future<?>> sweeps = Stream.generate(() -> retention(RUN_BY_RUN)).limit(3)
                    .<Future<?>>map(one -> controllers.submit(one::run))
                    .toList();
            for (Future<?> sweep : sweeps) {
                sweep.get();
            }
        }
        // What one left alone because another was at it.
        retention(RUN_BY_RUN).run();

        assertThat(removed("run-details")).isEqualTo(12 * 1000.0);
        assertThat(removed("firings")).isEqualTo(3000);
        assertThat(meters.find("redliner.retention.failures").counters()).isEmpty();
        assertThat(all("count(*)", "journal")).containsExactly("0");
    }

    @Test
    void nothing_goes_of_what_is_kept_for_ever() {
        run("old", "Finished", old(RetainedData.RUN_DETAILS), 5);
        firing("old", "Started", old(RetainedData.FIRINGS));

        retention(Map.of("redliner.controller.retention.run-details", "0",
                "redliner.controller.retention.firings", "0s")).run();

        assertThat(rows("journal", "old")).isEqualTo(5);
        assertThat(all("key", "schedule_firing")).containsExactly("old");
    }

    @Test
    void services_that_nobody_tells_of_are_forgotten_unless_a_run_is_live_on_them() {
        RedirectorReport natural = new RedirectorReport("r", "", 1, 1, ReportedLeaseState.NATURAL, "", List.of());
        catalog.update(new ServiceReport("gone", natural, List.of(), 0, null, null), null);
        catalog.update(new ServiceReport("busy", natural, List.of(), 0, null, null), null);
        run("busy", "Ramping", NOW, 1);

        retention(Map.of()).run();

        assertThat(catalog.find("gone")).isEmpty();
        assertThat(catalog.find("busy")).isPresent();
        assertThat(removed("services")).isEqualTo(1);
    }

    @Test
    void what_cannot_be_removed_is_counted_and_holds_up_nothing_else() {
        firing("old", "Started", old(RetainedData.FIRINGS));
        deployment("old", old(RetainedData.DEPLOYMENTS));
        JDBC.sql("ALTER TABLE schedule_firing RENAME COLUMN fired_at TO gone_at").update();
        try {
            retention(Map.of()).run();
        } finally {
            JDBC.sql("ALTER TABLE schedule_firing RENAME COLUMN gone_at TO fired_at").update();
        }

        assertThat(meters.counter("redliner.retention.failures", "kind", "firings").count()).isEqualTo(1);
        assertThat(all("id", "deployment")).isEmpty();
    }

    @Test
    void each_look_goes_by_an_index() {
        String plans = new TransactionTemplate(new JdbcTransactionManager(SOURCE)).execute(status -> {
            // So small tables are read as large ones are.
            Stream.of("seqscan", "bitmapscan", "hashjoin", "sort")
                    .forEach(way -> JDBC.sql("SET LOCAL enable_" + way + " = off").update());
            return Stream
                    .of(RetentionRepository.OLD_KEYS, RetentionRepository.OLD_FIRINGS,
                            RetentionRepository.OLD_DEPLOYMENTS,
                            RetentionRepository.OLD_ENTRIES, RetentionRepository.OLD_RUN)
                    .flatMap(look -> JDBC.sql("EXPLAIN (COSTS OFF) " + look)
                            .param("before", sql(NOW))
                            .param("batch", RetentionRepository.BATCH)
                            .query(String.class)
                            .list()
                            .stream())
                    .reduce("", (before, line) -> before + line + "\n");
        });

        assertThat(plans).contains("idempotency_key_by_age", "schedule_firing_settled", "deployment_received",
                "audit_entry_at", "run_with_details").doesNotContain("Seq Scan", "Sort");
    }

    @Test
    void times_that_make_no_sense_are_refused() {
        RetentionProperties defaults = properties(Map.of());
        KEPT.forEach((kind, kept) -> assertThat(defaults.of(kind)).isEqualTo(kept));
        for (String bad : List.of("-1d", "1s", "100000d")) {
            assertThatThrownBy(() -> properties(Map.of("redliner.controller.retention.audit", bad)))
                    .hasRootCauseInstanceOf(IllegalArgumentException.class);
        }
    }
}
