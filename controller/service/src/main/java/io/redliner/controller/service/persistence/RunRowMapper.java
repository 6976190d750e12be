// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.UnreadableRunRecovery;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.PlanLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows of the table {@code run}. */
final class RunRowMapper {

    static final String COLUMNS = "id, plan_name, plan_hash, plan, state, version, journal_sequence, submitted_at,"
            + " finished_at, service, sut, epoch, state ->> 'facts' AS facts, "
            + """
                    CASE WHEN run.state_sequence < run.journal_sequence THEN (
                        SELECT jsonb_agg(jsonb_build_array(entry.at, entry.nanos, entry.decision) ORDER BY entry.sequence)
                        FROM journal entry WHERE entry.run_id = run.id AND entry.sequence > run.state_sequence
                    ) END AS changes
                    """;

    static final String SELECT = "SELECT " + COLUMNS + " FROM run";

    /**
     * Holds for a run while no later run of the same instance was measured as natural. With the OFFSET it is asked of each run that
     * the other conditions leave, by the index of its service; without it the planner may join all runs.
     */
    static final String NOT_MEASURED_SINCE = """
            NOT EXISTS (SELECT 1 FROM run AS later WHERE later.service = run.service AND later.sut = run.sut
                AND later.submitted_at > run.submitted_at
                AND later.restore_proof IN ('MEASURED', 'MEASURED_AFTER_EXPIRY')
                OFFSET 0)
            """;

    /** Holds for a run that is over and after which the traffic was measured, and was not natural. */
    static final String CONTRADICTED = "run.restore_proof IN ('CONTRADICTED', 'CONTRADICTED_AFTER_EXPIRY')";

    /**
     * Holds for a run that is over and after which nothing measured the traffic as natural until now. It ended in the day before
     * {@code :until}; one that is {@link #CONTRADICTED} may be of any age. A run takes at most eight days from its submission on.
     */
    static final String UNPROVEN = """
            (run.restore_proof NOT IN ('MEASURED', 'MEASURED_AFTER_EXPIRY', 'NOT_NEEDED')
                AND run.finished_at >= CAST(:until AS timestamptz) - interval '1 day'
                AND run.submitted_at >= CAST(:until AS timestamptz) - interval '9 days'
                OR\s""" + CONTRADICTED + ") AND " + NOT_MEASURED_SINCE;

    private static final Logger LOG = LoggerFactory.getLogger(RunRowMapper.class);

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    RunRowMapper(RunJsonMapper json, UnreadableRows unreadable) {
        this.json = json;
        this.unreadable = unreadable;
    }

    /** @throws UnreadableRowException when its state cannot be read */
    StoredRun read(ResultSet row, int number) throws SQLException {
        String state = row.getString("state");
        String changes = row.getString("changes");
        return read(row, unreadable.require(UnreadableRows.Kind.RUN, row.getString("id"),
                () -> json.state(state, changes)));
    }

    /**
     * Returns a row whose state cannot be read becomes a run that can only be ended, so that one such row does not block all
     * others.
     */
    StoredRun readOrSalvage(ResultSet row, int number) throws SQLException {
        Optional<RunState> state = stateIfReadable(row);
        return read(row, state.isPresent() ? state.get() : UnreadableRunRecovery.of(facts(row)));
    }

    /** Reads a run; returns empty when its state cannot be read. */
    Optional<StoredRun> readOrSkip(ResultSet row, int number) throws SQLException {
        Optional<RunState> state = stateIfReadable(row);
        return state.isPresent() ? Optional.of(read(row, state.get())) : Optional.empty();
    }

    private static StoredRun read(ResultSet row, RunState state) throws SQLException {
        return new StoredRun(row.getString("id"),
                new CanonicalPlan(row.getString("plan_name"), row.getString("plan_hash"), row.getString("plan")), state,
                row.getLong("version"), row.getLong("journal_sequence"),
                SqlTimestamps.read(row, "submitted_at"), SqlTimestamps.readIfAny(row, "finished_at"));
    }

    private Optional<RunState> stateIfReadable(ResultSet row) throws SQLException {
        String state = row.getString("state");
        String changes = row.getString("changes");
        return unreadable.read(UnreadableRows.Kind.RUN, row.getString("id"), () -> json.state(state, changes));
    }

    /**
     * Reads the stored facts. When they cannot be read, it makes facts from the columns; these lack the natural share, which is then
     * not needed.
     */
    private RunFacts facts(ResultSet row) throws SQLException {
        String id = row.getString("id");
        String service = row.getString("service");
        String sut = row.getString("sut");
        long epoch = row.getLong("epoch");
        Instant submittedAt = SqlTimestamps.read(row, "submitted_at");
        RunFacts stored = storedFacts(row.getString("facts"));
        return stored != null && stored.runId().equals(id) && stored.service().equals(service)
                ? stored
                : new RunFacts(id, service, sut, epoch, Share.NONE, RunBounds.of(PlanLimits.DEFAULT),
                        RunTimeouts.DEFAULT, submittedAt);
    }

    private @Nullable RunFacts storedFacts(@Nullable String facts) {
        try {
            return facts == null ? null : json.read(facts, RunFacts.class);
        } catch (RuntimeException malformed) {
            LOG.debug("the facts cannot be read either", malformed);
            return null;
        }
    }
}
