// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.scene.Databases;
import io.redliner.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Migration V13: the journal and the windows become tables of months. */
class MonthsMigrationTest {

    private static JdbcClient client(TestDatabase database) {
        return JdbcClient.create(new DriverManagerDataSource(database.jdbcUrl()));
    }

    private static void fill(JdbcClient jdbc) {
        jdbc.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at)
                VALUES ('r', 'shop', 'a:1', 'plan', 'hash', '{}', 'Finished', 1, '{}', 1, 2, now())""").update();
        jdbc.sql("""
                INSERT INTO journal (run_id, sequence, at, phase, notable, decided, event, decision)
                SELECT 'r', n, now() - n * interval '40 days', 'Ramping', true, '2026-01-01T00:00:00.000000001Z',
                    '{"kind": "Tick"}', '{"state": {}, "commands": []}' FROM generate_series(1, 3) n""").update();
        jdbc.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT 'r', n, now() - n * interval '40 days', 'Ramping', 'HOLDS', 1, '{}'
                FROM generate_series(1, 3) n""").update();
    }

    private static List<String> partitions(JdbcClient jdbc, String table) {
        return jdbc.sql("SELECT partition FROM partitions_of(:table) ORDER BY ends_at").param("table", table)
                .query(String.class).list();
    }

    @Test
    void what_there_was_is_kept_as_one_partition_and_months_follow_it() {
        try (TestDatabase database = Databases.at("12")) {
            JdbcClient jdbc = client(database);
            fill(jdbc);

            Databases.upgrade(database);

            assertThat(partitions(jdbc, "journal")).hasSize(6).startsWith("journal_before_13")
                    .endsWith("journal_other");
            assertThat(partitions(jdbc, "judged_window")).hasSize(6).startsWith("judged_window_before_13");
            assertThat(jdbc.sql("SELECT sequence FROM journal WHERE run_id = 'r' ORDER BY sequence").query(Long.class)
                    .list()).containsExactly(1L, 2L, 3L);
            assertThat(jdbc.sql("SELECT count(*) FROM judged_window_before_13").query(Long.class).single())
                    .isEqualTo(3);
            jdbc.sql("""
                    INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                    VALUES ('r', 4, now() + interval '32 days', 7, 'Ramping', true, 1, '{"kind": "Tick"}',
                        '{"patch": {}, "commands": []}')""").update();
            assertThat(jdbc.sql("SELECT count(*) FROM journal_before_13").query(Long.class).single()).isEqualTo(3);
            assertThat(jdbc.sql("SELECT count(*) FROM journal_other").query(Long.class).single()).isZero();
            assertThatThrownBy(() -> jdbc.sql("DELETE FROM journal").update()).hasMessageContaining("append-only");
            assertThatThrownBy(() -> jdbc.sql("UPDATE journal_before_13 SET phase = 'x'").update())
                    .hasMessageContaining("append-only");
        }
    }

    @Test
    void of_an_empty_one_nothing_is_left() {
        try (TestDatabase database = Databases.migrated()) {
            assertThat(partitions(client(database), "journal")).hasSize(5).noneMatch(name -> name.contains("before"));
        }
    }

    @Test
    void a_month_is_added_once_and_never_before_one_that_is_there() {
        try (TestDatabase database = Databases.migrated()) {
            JdbcClient jdbc = client(database);
            List<String> before = partitions(jdbc, "journal");

            jdbc.sql("SELECT add_month('journal', month_of(now(), 0))").query(row -> {});
            jdbc.sql("SELECT add_month('journal', month_of(now(), -5))").query(row -> {});
            assertThat(partitions(jdbc, "journal")).isEqualTo(before);

            jdbc.sql("SELECT add_month('journal', month_of(now(), 4))").query(row -> {});
            assertThat(partitions(jdbc, "journal")).hasSize(before.size() + 1);
        }
    }
}
