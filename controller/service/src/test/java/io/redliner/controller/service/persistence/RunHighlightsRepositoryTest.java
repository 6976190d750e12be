// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.sla.Judgement;
import io.redliner.testkit.TestDatabase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

@SequentialTests
class RunHighlightsRepositoryTest {

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final SingleConnectionDataSource SOURCE = new SingleConnectionDataSource(DATABASE.jdbcUrl(), true);

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private static final RunJsonMapper JSON = new RunJsonMapper();

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final StoredRun RUN = new StoredRun("run", new CanonicalPlan("plan", "hash", "{}"),
            new RunState.Pending(new RunFacts("run", "shop", "a:1", 7, new Share(250_000),
                    RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START)),
            0, 0, START, null);

    private final Random random = new Random(1);

    @AfterAll
    static void drop() {
        SOURCE.destroy();
        DATABASE.close();
    }

    private static RunHighlightsRepository repository() {
        return new RunHighlightsRepository(JDBC, JSON, new UnreadableRows());
    }

    private void store(int sequence) {
        int kind = random.nextInt(12);
        Judgement judgement = kind == 0
                ? Judgement.BREACHED
                : kind == 1 ? Judgement.INCONCLUSIVE : Judgement.HOLDS;
        String rule = JSON.write(new RuleResult("latency", "latency.p99 <= duration('400ms')", judgement,
                0.1 * random.nextInt(9), 0.4, 1.7, "seconds", false, ""));
        JDBC.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                VALUES ('run', :sequence, :at, :phase, :judgement, :asked, CAST(:content AS jsonb))""")
                .param("sequence", sequence)
                .param("at", START.plusSeconds(sequence).atOffset(ZoneOffset.UTC))
                .param("phase",
                        List.of("Baseline", "Ramping", "Paused", "Ramping", "Confirming").get(sequence / 50 % 5))
                .param("judgement", judgement.name())
                .param("asked", 10_000 * (5 + random.nextInt(60)))
                .param("content", "{\"sut\": {\"requestsPerSecond\": %d}, \"sla\": [%s]}".formatted(sequence, rule))
                .update();
    }

    @Test
    void windows_that_were_read_before_are_not_read_again_and_the_highlights_are_the_same() {
        RunHighlightsRepository repository = repository();
        assertThat(repository.of(RUN)).hasSize(1);
        for (int sequence = 0; sequence < 250; sequence++) {
            store(sequence);
            if (random.nextInt(4) == 0) {
                assertThat(repository.of(RUN)).isEqualTo(repository().of(RUN));
            }
        }
        List<RunHighlights.Sentence> whole = repository().of(RUN);
        assertThat(whole).hasSizeBetween(5, RunHighlights.MAX_SENTENCES);
        assertThat(repository.of(RUN)).isEqualTo(whole);

        JDBC.sql("DELETE FROM judged_window").update();

        assertThat(repository.of(RUN)).isEqualTo(whole);
    }
}
