// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.service.persistence.RunReadRepository.Filter;
import io.redliner.controller.service.persistence.RunReadRepository.Position;
import io.redliner.testkit.TestDatabase;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** With 10 000 runs, a hundredth of a million, each list and each page of a journal is read from an index in its order. */
@SequentialTests
class RunListTest {

    private static final int RUNS = 10_000;

    private static final Instant BEFORE = Instant.parse("2026-03-01T00:00:00Z");

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final DriverManagerDataSource SOURCE = new DriverManagerDataSource(DATABASE.jdbcUrl());

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    @BeforeAll
    static void fill() {
        JDBC.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, first_state)
                SELECT 'run-' || n, 'service-' || n % 10, 'a:1', 'plan', 'hash', '{}', 'Finished', n, '{}', 1, 1,
                       timestamptz '2026-01-01' + n * interval '5 min', '{}'
                FROM generate_series(1, :runs) n""").param("runs", RUNS).update();
        JDBC.sql("""
                INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                SELECT 'run-' || n / 1000 + 1, n % 1000, now(), 0, 'Ramping', n % 3 = 0, 1, '{}', '{}'
                FROM generate_series(0, 99999) n""").update();
        JDBC.sql("ANALYZE").update();
    }

    @AfterAll
    static void stop() {
        DATABASE.close();
    }

    /** Without what is done for a live run only: its newest decisions are looked up by their key. */
    private static String explained(Filter filter) {
        String plan = String.join("\n", JDBC.sql("EXPLAIN " + RunReadRepository.listSql(filter))
                .params(RunReadRepository.parameters(filter))
                .query(String.class)
                .list());
        String live = plan.substring(plan.indexOf("SubPlan"));
        assertThat(live).containsPattern("Index Scan (on|using) journal_[0-9_]+_pkey").doesNotContain("SubPlan 2");
        return plan.substring(0, plan.indexOf("SubPlan"));
    }

    private static Filter filter(@Nullable String service, @Nullable String phase, @Nullable Instant since,
            @Nullable Position before) {
        return new Filter(service, phase, since, before, 51);
    }

    @Test
    void every_list_is_read_in_the_order_of_an_index() {
        Position page = new Position(BEFORE, "run-5000");
        List<Filter> questions = List.of(filter(null, null, null, null), filter(null, null, null, page),
                filter("service-7", null, null, null), filter("service-7", null, null, page),
                filter(null, "Finished", null, page),
                filter("service-7", "Finished", BEFORE.minusSeconds(86_400), page));

        for (Filter question : questions) {
            assertThat(explained(question)).as("%s", question).contains("Index Scan using run_newest")
                    .doesNotContain("Seq Scan").doesNotContain("Sort");
        }
        assertThat(explained(filter(null, "Ramping", null, null))).as("live runs are few").contains("Index Scan")
                .doesNotContain("Seq Scan");
    }

    @Test
    void a_page_of_a_journal_is_read_by_its_key() {
        String plan = new TransactionTemplate(new JdbcTransactionManager(SOURCE)).execute(status -> {
            // There are no windows here: an empty table is read from its beginning to its end otherwise.
            JDBC.sql("SET LOCAL enable_seqscan = off").update();
            return String.join("\n", JDBC.sql("EXPLAIN " + RunReadRepository.JOURNAL)
                    .param("run", "run-7")
                    .param("after", 500)
                    .param("notableOnly", true)
                    .param("limit", 100)
                    .query(String.class)
                    .list());
        });

        assertThat(plan).containsPattern("Index Scan using journal_[0-9_]+_pkey").doesNotContain("Seq Scan")
                .doesNotContain("Sort  (");
    }
}
