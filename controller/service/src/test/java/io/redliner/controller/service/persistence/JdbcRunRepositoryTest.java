// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.RunRepositoryContract;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.JournalEntry;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.testkit.TestDatabase;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@SequentialTests
class JdbcRunRepositoryTest extends RunRepositoryContract {

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final DriverManagerDataSource SOURCE = new DriverManagerDataSource(DATABASE.jdbcUrl());

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private static final RunRepository ONE = repository();

    private static final RunRepository TWO = repository();

    private static final RunReadRepository QUERIES = new RunReadRepository(JDBC, new RunJsonMapper(),
            new UnreadableRows());

    private static RunRepository repository() {
        return new JdbcRunRepository(JDBC, new TransactionTemplate(new JdbcTransactionManager(SOURCE)),
                new RunJsonMapper(),
                new SafetyRepository(JDBC), new StartPolicy(1000, 1000), List.of(), new UnreadableRows());
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Override
    protected RunRepository first() {
        return ONE;
    }

    @Override
    protected RunRepository second() {
        return TWO;
    }

    @Override
    protected List<RunEvent> journal(String runId) {
        return QUERIES.journal(runId, 0, 10, false).stream().map(JournalNote::event).toList();
    }

    private static StoredRun registered() throws Exception {
        return ONE.register(order("service-" + UUID.randomUUID()), null, "body");
    }

    @Test
    void the_journal_has_each_decision_with_its_event_and_its_time() throws Exception {
        DecisionRecord first = made(registered(), new RunEvent.Submitted(List.of("r1")));

        ONE.record(List.of(first));

        assertThat(QUERIES.journal(first.runId(), 0, 10, false)).containsExactly(new JournalNote(1, AT, first.event(),
                first.after().state().phase().wireName(), first.after().state().askedShare(), null, null,
                first.decision().commands()));
        assertThat(new RunJsonMapper().read(QUERIES.export(first.runId()).next(10).getFirst(), JournalEntry.class))
                .isEqualTo(new JournalEntry(1, AT, first.event(), null, first.decision()));
    }

    @Test
    void the_journal_cannot_be_changed() throws Exception {
        DecisionRecord first = made(registered(), new RunEvent.Submitted(List.of("r1")));
        ONE.record(List.of(first));

        assertThatThrownBy(
                () -> JDBC.sql("UPDATE journal SET phase = 'x' WHERE run_id = :id").param("id", first.runId()).update())
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> JDBC.sql("DELETE FROM journal WHERE run_id = :id").param("id", first.runId()).update())
                .isInstanceOf(DataAccessException.class);
    }
}
