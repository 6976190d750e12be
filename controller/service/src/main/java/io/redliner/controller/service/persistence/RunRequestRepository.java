// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores the requests of users for runs. The controller that drives a run carries them out. */
public final class RunRequestRepository {

    private static final String SELECT = "SELECT run_request.id, run_id, event FROM run_request";

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public RunRequestRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /** A request that is not carried out yet. */
    public record Open(long id, String runId, RunEvent event) {}

    /**
     * Stores a request.
     *
     * @param event what it leads to: AbortRequested, PauseRequested, ResumeRequested or Approved
     */
    public Open store(String runId, RunEvent event, Instant at) {
        long id = jdbc.sql("""
                INSERT INTO run_request (run_id, event, at)
                VALUES (:run, CAST(:event AS jsonb), :at) RETURNING id""")
                .param("run", runId)
                .param("event", json.write(event))
                .param("at", SqlTimestamps.sql(at))
                .query(Long.class)
                .single();
        return new Open(id, runId, event);
    }

    /** Open requests of these runs, oldest first. */
    public List<Open> open(Collection<String> runIds) {
        return runIds.isEmpty()
                ? List.of()
                : jdbc.sql(SELECT + " WHERE taken_at IS NULL AND run_id = ANY(:runs) ORDER BY id")
                        .param("runs", runIds.toArray(String[]::new))
                        .query(this::read)
                        .list().stream()
                        .flatMap(Optional::stream)
                        .toList();
    }

    /** Open requests of runs that wait for an approval, which no controller drives, oldest first. */
    public List<Open> ofWaitingRuns() {
        return jdbc.sql(SELECT + """
                 JOIN run ON run.id = run_id
                WHERE taken_at IS NULL AND awaits_approval AND phase <> 'Finished' ORDER BY run_request.id""")
                .query(this::read)
                .list().stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** Marks a request as carried out. */
    public void taken(Open request, Instant at) {
        jdbc.sql("UPDATE run_request SET taken_at = :at WHERE id = :id")
                .param("at", SqlTimestamps.sql(at))
                .param("id", request.id())
                .update();
    }

    private Optional<Open> read(ResultSet row, int number) throws SQLException {
        long id = row.getLong("id");
        String run = row.getString("run_id");
        String event = row.getString("event");
        return unreadable.read(UnreadableRows.Kind.REQUEST, run + "/" + id, () -> json.event(event))
                .map(known -> new Open(id, run, known));
    }
}
