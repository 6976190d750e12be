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

/** The journal, the windows and what they come to are tables of months. */
class JournalMonthsTest {

    private static JdbcClient client(TestDatabase database) {
        return JdbcClient.create(new DriverManagerDataSource(database.jdbcUrl()));
    }

    private static List<String> partitions(JdbcClient jdbc, String table) {
        return jdbc.sql("SELECT partition FROM partitions_of(:table) ORDER BY ends_at").param("table", table)
                .query(String.class).list();
    }

    @Test
    void this_month_and_the_next_three_are_there_and_all_other_times_have_a_place() {
        try (TestDatabase database = Databases.migrated()) {
            JdbcClient jdbc = client(database);

            for (String table : List.of("journal", "judged_window", "window_rollup")) {
                assertThat(partitions(jdbc, table)).hasSize(5).endsWith(table + "_other");
            }
            for (String age : List.of("-2 years", "32 days", "2 years")) {
                jdbc.sql("""
                        INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                        VALUES ('r', 4, now() + CAST(:age AS interval), 7, 'Ramping', true, 1, '{"kind": "Tick"}',
                            '{"delta": {}, "commands": []}')""").param("age", age).update();
            }
            assertThat(jdbc.sql("SELECT count(*) FROM journal_other").query(Long.class).single()).isEqualTo(2);
            assertThatThrownBy(() -> jdbc.sql("DELETE FROM journal").update()).hasMessageContaining("append-only");
            assertThatThrownBy(() -> jdbc.sql("UPDATE journal_other SET phase = 'x'").update())
                    .hasMessageContaining("append-only");
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
