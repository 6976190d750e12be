// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.TracedRequest;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.sla.Judgement;
import io.redliner.testkit.TestDatabase;
import java.net.URI;
import java.time.Duration;
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
        return new RunHighlightsRepository(JDBC, JSON, new UnreadableRows(),
                new TraceProperties("https://traces.example/trace/{traceId}"));
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

    @Test
    void the_slowest_requests_of_the_first_broken_window_have_links_and_are_no_lines_of_a_chart() {
        StoredRun run = RunRow.insert(JDBC, "traced", RunBounds.of(PlanLimits.DEFAULT), START);
        JDBC.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                VALUES ('traced', 1, :at, 'Ramping', 'BREACHED', 250000, CAST(:content AS jsonb))""")
                .param("at", START.atOffset(ZoneOffset.UTC))
                .param("content", """
                        {"judgement": "BREACHED", "windowLength": "PT1S", "sut": {"requestsPerSecond": 9, "gauges": [
                            ["cpu", 0.5, "ratio"], ["requests.slowest[a3ce929d0e0e4731]", 0.5, "seconds"],
                            ["requests.slowest[a3ce929d0e0e4732]", 0.9, "seconds"], ["requests.slowest[", 7, ""],
                            ["requests.slowest[a b]", 7, ""]]}}""")
                .update();

        assertThat(repository().of(run)).filteredOn(sentence -> sentence.text().contains("broke")).singleElement()
                .satisfies(sentence -> assertThat(sentence.slowest()).containsExactly(
                        new TracedRequest("a3ce929d0e0e4732", 0.9,
                                URI.create("https://traces.example/trace/a3ce929d0e0e4732")),
                        new TracedRequest("a3ce929d0e0e4731", 0.5,
                                URI.create("https://traces.example/trace/a3ce929d0e0e4731"))));
        WindowSums sums = new WindowSums(JDBC, JSON, new UnreadableRows());
        assertThat(sums.gauges(run, sums.span("traced", null, null).orElseThrow(), Duration.ofSeconds(1)))
                .extracting(WindowSums.GaugePeak::name).containsExactly("cpu");
    }

    @Test
    void a_place_of_traces_is_a_url_with_the_id_in_it() {
        assertThat(new TraceProperties(null).link("a3")).isEmpty();
        assertThat(new TraceProperties("").link("a3")).isEmpty();
        for (String wrong : List.of("https://traces.example/", "traces/{traceId}", "javascript:alert({traceId})",
                "https://traces.example/a b/{traceId}")) {
            assertThatThrownBy(() -> new TraceProperties(wrong)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("redliner.controller.traces.url is a URL with {traceId} in it, such as "
                            + "https://traces.example/trace/{traceId}; not " + wrong);
        }
    }

    /** Stores windows of 1 s that hold but for some, in the phases of a run with short pauses. */
    private void storeQuiet(String id, int from, int to) {
        int count = to - from;
        String[] phases = new String[count];
        String[] judgements = new String[count];
        Integer[] asked = new Integer[count];
        int share = 250_000;
        for (int index = 0; index < count; index++) {
            int sequence = from + index;
            int fate = random.nextInt(3_000);
            judgements[index] = fate == 0 ? "BREACHED" : fate == 1 ? "INCONCLUSIVE" : "HOLDS";
            phases[index] = sequence <= 300
                    ? "Baseline"
                    : sequence % 1_700 < 3 ? "Paused" : sequence > 5_000 ? "Confirming" : "Ramping";
            share += fate == 2 ? 10_000 : 0;
            asked[index] = fate == 3 ? 200_000 : share;
        }
        JDBC.sql(
                """
                        INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                        SELECT :run, :from + number - 1, CAST(:start AS timestamptz) + (:from + number - 1) * interval '1 s', phase,
                            judgement, asked, jsonb_build_object('judgement', judgement, 'windowLength', 'PT1S',
                                'sut', jsonb_build_object('requestsPerSecond', number))
                        FROM unnest(CAST(:phases AS text[]), CAST(:judgements AS text[]), CAST(:asked AS integer[]))
                            WITH ORDINALITY AS made(phase, judgement, asked, number)""")
                .param("run", id).param("from", from).param("start", START.toString())
                .param("phases", phases).param("judgements", judgements).param("asked", asked)
                .update();
    }

    @Test
    void windows_that_were_summed_up_and_change_nothing_are_not_read_and_the_highlights_are_the_same() {
        WindowSums sums = new WindowSums(JDBC, JSON, new UnreadableRows());
        for (String id : List.of("quiet-1", "quiet-2", "quiet-3")) {
            StoredRun run = RunRow.insert(JDBC, id, RunBounds.of(PlanLimits.DEFAULT), START);
            RunHighlightsRepository following = repository();
            for (int from = 1; from < 8_000; from += 2_000) {
                storeQuiet(id, from, from + 2_000);
                List<RunHighlights.Sentence> window = repository().of(run);
                sums.add(run);
                assertThat(repository().of(run)).as("summed up").isEqualTo(window);
                assertThat(following.of(run)).as("with what it remembers").isEqualTo(window);
            }
            List<RunHighlights.Sentence> whole = repository().of(run);
            assertThat(whole).hasSizeGreaterThan(3);

            assertThat(JDBC
                    .sql("""
                            DELETE FROM judged_window USING (
                                SELECT sequence - windows + 1 AS first, sequence AS last, lag(kind_max) OVER (ORDER BY bin) AS before,
                                    kind_max AS kind, asked_max <= max(asked_max) OVER (ORDER BY bin
                                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS usual
                                FROM window_rollup WHERE run_id = :run AND level = 3 AND kind_min = kind_max) AS alike
                            WHERE run_id = :run AND usual AND before = kind AND kind LIKE 'HOLDS %'
                                AND judged_window.sequence > first AND judged_window.sequence <= last""")
                    .param("run", id).update()).as("windows that nobody reads").isGreaterThan(500);
            assertThat(repository().of(run)).isEqualTo(whole);
        }
    }
}
