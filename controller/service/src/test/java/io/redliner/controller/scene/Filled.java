// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.Milestones;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.run.StopReason;
import io.redliner.controller.service.persistence.CapacityRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Fills the database of a scene with finished runs and their capacities. */
public final class Filled {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    public Filled(Scene scene) {
        this.jdbc = scene.context().getBean(JdbcClient.class);
        this.json = scene.context().getBean(RunJsonMapper.class);
    }

    /** A finished run of a plan with labels; its id. */
    public String run(String service, String instance, Instant finishedAt, String plan) {
        String id = UUID.randomUUID().toString();
        RunBounds bounds = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1));
        Instant submittedAt = finishedAt.minusSeconds(600);
        RunFacts facts = new RunFacts(id, service, instance, 1, new Share(250_000), bounds, RunTimeouts.DEFAULT,
                submittedAt);
        CapacityEstimate estimate = new CapacityEstimate(400, 390, 410, "latency", 0.21, 0.2, 395.0, 420.0);
        RunState.Finished state = new RunState.Finished(facts,
                new RunEnd(RunOutcome.CAPACITY_FOUND, new StopReason(StopCode.CAPACITY_FOUND, "found"), estimate, null),
                new RestoreProof(RestoreProof.Proof.ACKNOWLEDGED, Duration.ofMillis(300), "all acknowledged"),
                new HarmDone(12, 100.0), new Milestones(submittedAt, submittedAt, submittedAt, true), null,
                finishedAt);
        jdbc.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, outcome, epoch, state, version,
                                 journal_sequence, submitted_at, first_state, finished_at, end_published_at, peaks_at)
                VALUES (:id, :service, :sut, 'plan', 'hash', CAST(:plan AS jsonb), 'Finished', 'CAPACITY_FOUND', 1,
                        CAST(:state AS jsonb), 0, 0, :submittedAt, CAST(:state AS jsonb), :finishedAt, :finishedAt,
                        :finishedAt)""")
                .param("id", id)
                .param("service", service)
                .param("sut", instance)
                .param("plan", plan)
                .param("state", json.write(state))
                .param("submittedAt", submittedAt.atOffset(ZoneOffset.UTC))
                .param("finishedAt", finishedAt.atOffset(ZoneOffset.UTC))
                .update();
        return id;
    }

    /** A capacity that was found on a day. */
    public CapacityRecord capacity(String service, String instance, int day, double value, @Nullable String version,
            @Nullable String hardware) {
        Instant at = START.plus(Duration.ofDays(day));
        return capacity(new CapacityRecord(run(service, instance, at, "{}"), service, instance, value, value - 5,
                value + 5, false, "latency", 0.21, 0.2, value - 10, value + 10, 12, Duration.ofMinutes(10), "plan",
                "hash", at, null, null), version, hardware);
    }

    /** A capacity of a run that is there. */
    public CapacityRecord capacity(CapacityRecord record, @Nullable String version, @Nullable String hardware) {
        jdbc.sql("""
                INSERT INTO capacity (run_id, service, instance, content, recorded_at, version, hardware)
                VALUES (:run, :service, :instance, CAST(:content AS jsonb), :at, :version, :hardware)""")
                .param("run", record.runId())
                .param("service", record.service())
                .param("instance", record.instance())
                .param("content", json.write(record))
                .param("at", record.recordedAt().atOffset(ZoneOffset.UTC))
                .param("version", version)
                .param("hardware", hardware)
                .update();
        return record;
    }

    /** Many copies of the capacities of a service under ten other names, so that an index is worth while. */
    public void copies(String service, int many) {
        for (int from = 1; from <= many; from += 100) {
            copies(service, from, Math.min(many, from + 99));
        }
        jdbc.sql("ANALYZE capacity").update();
    }

    private void copies(String service, int from, int to) {
        jdbc.sql(
                """
                        INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                         journal_sequence, submitted_at, first_state, finished_at, end_published_at, peaks_at)
                        SELECT run.id || '-' || copy, run.service || '-' || copy % 10, sut, plan_name, plan_hash, plan, phase,
                            epoch, state, run.version, journal_sequence, submitted_at, first_state, finished_at, end_published_at, finished_at
                        FROM run, generate_series(:from, :to) copy WHERE service = :service""")
                .param("from", from)
                .param("to", to)
                .param("service", service)
                .update();
        jdbc.sql("""
                INSERT INTO capacity (run_id, service, instance, content, recorded_at, version, hardware)
                SELECT run_id || '-' || copy, service || '-' || copy % 10, instance, content,
                    recorded_at + copy * interval '1 minute', version, hardware
                FROM capacity, generate_series(:from, :to) copy WHERE service = :service""")
                .param("from", from)
                .param("to", to)
                .param("service", service)
                .update();
    }

    /** What PostgreSQL would do. */
    public String explained(String sql, Map<String, ?> parameters) {
        return String.join("\n",
                jdbc.sql("EXPLAIN (COSTS OFF) " + sql).params(parameters).query(String.class).list());
    }

    public void peak(String service, String runId, double peak, Instant at) {
        jdbc.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT :run, coalesce(max(sequence), 0) + 1, :at, 'Ramping', 'HOLDS', 1, CAST(:content AS jsonb)
                FROM judged_window WHERE run_id = :run""")
                .param("run", runId)
                .param("at", at.atOffset(ZoneOffset.UTC))
                .param("content",
                        JsonMapper.shared().writeValueAsString(Map.of("serviceRequestsPerSecond", peak)))
                .update();
        jdbc.sql("UPDATE run SET peaks_at = NULL WHERE id = :run").param("run", runId).update();
    }
}
