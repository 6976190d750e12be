// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.VirtualTime;
import io.redliner.controller.service.persistence.RetentionRepository;
import io.redliner.controller.service.persistence.SqlTimestamps;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Journals and windows that are kept for long: they go by months. */
class RetentionByMonthTest {

    private static final Instant NOW = Instant.parse("2026-11-22T00:00:00Z");

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final DriverManagerDataSource SOURCE = new DriverManagerDataSource(DATABASE.jdbcUrl());

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @AfterAll
    static void stop() {
        DATABASE.close();
    }

    @BeforeEach
    void empty() {
        JDBC.sql("TRUNCATE run, journal, judged_window CASCADE").update();
    }

    private void sweep() {
        RetentionProperties defaults = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("redliner.controller.retention", RetentionProperties.class);
        new RetentionJob(new RetentionRepository(JDBC, new TransactionTemplate(new JdbcTransactionManager(SOURCE))),
                new ServiceCatalog(InstantSource.fixed(NOW), Duration.ofSeconds(3)), defaults, InstantSource.fixed(NOW),
                meters, new VirtualTime(NOW).ticker()).run();
    }

    private static Object sql(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static void insert(String sql, String id, int rows, Instant at) {
        JDBC.sql(sql).param("id", id).param("rows", rows).param("at", sql(at)).update();
    }

    private static void run(String id, String phase, Instant at, int rows) {
        JDBC.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, first_state, finished_at, peaks_at)
                VALUES (:id, :id, 'a:1', 'plan', 'hash', '{}', :phase, 1, '{}', 1, 1, :at, '{}', :at, :at)""")
                .param("id", id).param("phase", phase).param("at", sql(at)).update();
        insert("""
                INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                SELECT :id, n, :at, 0, 'Ramping', true, 1, '{}', '{}' FROM generate_series(1, :rows) n""", id, rows,
                at);
        insert("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT :id, n, :at, 'Ramping', 'HOLDS', 1, '{}' FROM generate_series(1, :rows) n""", id, rows, at);
        insert("INSERT INTO run_request (run_id, event, at) SELECT :id, '{}', :at WHERE :rows > 0", id,
                rows, at);
    }

    private static long rows(String table, String run) {
        return JDBC.sql("SELECT count(*) FROM " + table + " WHERE run_id = :run").param("run", run).query(Long.class)
                .single();
    }

    private static List<String> gone() {
        return JDBC.sql("SELECT id FROM run WHERE details = 'Gone' ORDER BY 1").query(String.class).list();
    }

    /** Of the months' partitions, those that are there. */
    private static List<String> months(String table) {
        return JDBC.sql("SELECT partition FROM partitions_of(:table) WHERE ends_at IS NOT NULL ORDER BY ends_at")
                .param("table", table).query(String.class).list();
    }

    private static Instant month(int ago) {
        return JDBC.sql("SELECT month_of(:now, :later) AS month").param("now", sql(NOW)).param("later", -ago)
                .query((row, number) -> SqlTimestamps.read(row, "month")).single();
    }

    private static void fifteenMonths() {
        JDBC.sql("TRUNCATE journal, judged_window").update();
        for (String table : List.of("journal", "judged_window")) {
            months(table).forEach(month -> JDBC.sql("DROP TABLE " + month).update());
            for (int ago = 15; ago >= 0; ago--) {
                JDBC.sql("SELECT add_month(:table, :month)").param("table", table).param("month", sql(month(ago)))
                        .query(row -> {});
            }
        }
    }

    @Test
    void details_that_are_kept_for_long_go_with_their_month_when_all_its_runs_are_old() {
        fifteenMonths();
        run("oldest", "Finished", month(15).plus(Duration.ofDays(3)), 5);
        run("old", "Finished", month(14).plus(Duration.ofDays(3)), 5);
        run("same-month", "Finished", month(13).plus(Duration.ofDays(3)), 5);
        run("young", "Finished", month(12).plus(Duration.ofDays(28)), 5);

        sweep();

        assertThat(months("journal").getFirst()).isEqualTo("journal_2025_10");
        assertThat(months("judged_window").getFirst()).isEqualTo("judged_window_2025_10");
        assertThat(gone()).containsExactly("old", "oldest");
        assertThat(rows("journal", "same-month") + rows("judged_window", "same-month")).isEqualTo(10);
        assertThat(rows("run_request", "old")).isZero();
        assertThat(meters.counter("redliner.retention.removed", "kind", "run-details").count()).isEqualTo(2);
        assertThat(months("journal").getLast()).as("three months ahead").isEqualTo("journal_2027_02");
        assertThat(meters.find("redliner.retention.failures").counters()).isEmpty();
    }

    @Test
    void a_month_stays_for_a_run_that_is_live_or_whose_peaks_are_still_needed() {
        fifteenMonths();
        run("unread", "Finished", month(15), 5);
        JDBC.sql("UPDATE run SET peaks_at = NULL WHERE id = 'unread'").update();
        run("live", "Ramping", month(14), 5);

        sweep();
        assertThat(months("journal").getFirst()).isEqualTo("journal_2025_08");
        assertThat(rows("journal", "unread")).isEqualTo(5);
        JDBC.sql("UPDATE run SET peaks_at = finished_at WHERE id = 'unread'").update();

        sweep();
        assertThat(months("journal").getFirst()).isEqualTo("journal_2025_09");
        assertThat(rows("journal", "live")).isEqualTo(5);
    }
}
