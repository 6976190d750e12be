// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import io.redliner.controller.run.Command;
import io.redliner.controller.run.Decision;
import io.redliner.controller.run.Ending;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunState;
import io.redliner.controller.run.WindowVerdict;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes all traces of one decision; to be called within a transaction. */
final class DecisionWriter {

    private final JdbcClient jdbc;

    private final RunJson json;

    private final CapacityWriter capacities;

    DecisionWriter(JdbcClient jdbc, RunJson json) {
        this.jdbc = jdbc;
        this.json = json;
        this.capacities = new CapacityWriter(jdbc, json);
    }

    void write(StoredRun before, StoredRun after, RunEvent event, Decision decision, Instant decidedAt) {
        state(before, after);
        journal(before, after, event, decision, decidedAt);
        if (event instanceof RunEvent.VerdictArrived arrived && before.state() instanceof RunState.Leased leased) {
            window(after, arrived.verdict(), leased.course().share().value());
        }
        for (Command command : decision.commands()) {
            switch (command) {
                case Command.RecordStep step -> step(after.id(), step);
                case Command.RecordCapacity capacity -> capacity(after, capacity);
                case Command.PublishRun ignored -> {
                }
                case Command.SendLease ignored -> {
                }
            }
        }
    }

    private void state(StoredRun before, StoredRun after) {
        Ending ending = after.state().ending();
        int updated = jdbc.sql("""
                UPDATE run SET state = CAST(:state AS jsonb), phase = :phase, epoch = :epoch, outcome = :outcome,
                    stop_code = :code, stop_reason = :reason, finished_at = :finishedAt, version = :next,
                    journal_sequence = :sequence, awaits_approval = :awaits, harm = :harm
                WHERE id = :id AND version = :version""")
                .param("state", json.write(after.state()))
                .param("phase", after.state().phase().word())
                .param("epoch", after.state().facts().epoch())
                .param("outcome", ending == null ? null : ending.outcome().name())
                .param("code", ending == null ? null : ending.reason().code().word())
                .param("reason", ending == null ? null : ending.reason().detail())
                .param("finishedAt", after.finishedAt() == null ? null : Times.sql(after.finishedAt()))
                .param("awaits", after.state() instanceof RunState.Pending pending && pending.facts().awaitsApproval())
                .param("harm", after.state() instanceof RunState.Finished finished ? finished.harm().requests() : null)
                .param("next", after.version())
                .param("sequence", after.journalSequence())
                .param("id", after.id())
                .param("version", before.version())
                .update();
        if (updated == 0) {
            throw new RunLostException(before.id(), before.version());
        }
    }

    private void journal(StoredRun before, StoredRun after, RunEvent event, Decision decision, Instant decidedAt) {
        jdbc.sql("""
                INSERT INTO journal (run_id, sequence, at, phase, notable, decided, event, decision)
                VALUES (:run, :sequence, :at, :phase, :notable, :decided, CAST(:event AS jsonb),
                        CAST(:decision AS jsonb))""")
                .param("run", after.id())
                .param("sequence", after.journalSequence())
                .param("at", Times.sql(decidedAt))
                .param("phase", after.state().phase().word())
                .param("notable", notable(before.state(), event, after.state()))
                .param("decided", decidedAt.toString())
                .param("event", json.write(event))
                .param("decision", json.write(decision))
                .update();
    }

    /** Whether people want to see it: renewals and signs of life they do not. */
    private static boolean notable(RunState before, RunEvent event, RunState after) {
        return before.phase() != after.phase() || switch (event) {
            case RunEvent.Tick ignored -> moved(before, after);
            case RunEvent.LeaseStatusArrived ignored -> moved(before, after);
            case RunEvent.Submitted ignored -> true;
            case RunEvent.VerdictArrived ignored -> true;
            case RunEvent.AbortRequested ignored -> true;
            case RunEvent.NotDelivered ignored -> true;
            case RunEvent.ControllerStopping ignored -> true;
            case RunEvent.PauseRequested ignored -> true;
            case RunEvent.ResumeRequested ignored -> true;
            case RunEvent.Approved ignored -> true;
            case RunEvent.Halted ignored -> true;
            case RunEvent.ClockJumped ignored -> true;
            case RunEvent.TakenOver ignored -> true;
        };
    }

    private static boolean moved(RunState before, RunState after) {
        return before instanceof RunState.Leased from && after instanceof RunState.Leased to
                && !from.course().share().equals(to.course().share());
    }

    private void window(StoredRun after, WindowVerdict verdict, int asked) {
        jdbc.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                VALUES (:run, :sequence, :startedAt, :phase, :judgement, :asked, CAST(:content AS jsonb))
                ON CONFLICT DO NOTHING""")
                .param("run", after.id())
                .param("sequence", verdict.sequence())
                .param("startedAt", Times.sql(verdict.windowStart()))
                .param("phase", after.state().phase().word())
                .param("judgement", verdict.judgement().name())
                .param("asked", asked)
                .param("content", json.write(verdict))
                .update();
    }

    private void step(String runId, Command.RecordStep step) {
        jdbc.sql("""
                INSERT INTO step (run_id, number, content) VALUES (:run, :number, CAST(:content AS jsonb))
                ON CONFLICT (run_id, number) DO UPDATE SET content = EXCLUDED.content""")
                .param("run", runId)
                .param("number", step.step().number())
                .param("content", json.write(step.step()))
                .update();
    }

    private void capacity(StoredRun after, Command.RecordCapacity found) {
        if (!(after.state() instanceof RunState.Finished finished)) {
            throw new IllegalStateException("run " + after.id() + " has a capacity and is not finished");
        }
        capacities.write(CapacityRecord.of(after, finished, found));
    }
}
