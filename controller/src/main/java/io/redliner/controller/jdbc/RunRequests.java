// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What people ask of runs; whoever drives them takes it. */
public final class RunRequests {

    private final JdbcClient jdbc;

    public RunRequests(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What is asked for. */
    public enum Kind {
        ABORT, PAUSE, RESUME
    }

    /** A request that nobody has taken yet. */
    public record Open(long id, String runId, Kind kind, String reason) {}

    /** Leaves a request for whoever drives the run. */
    public void leave(String runId, Kind kind, String reason, Instant at) {
        jdbc.sql("INSERT INTO run_request (run_id, kind, reason, at) VALUES (:run, :kind, :reason, :at)")
                .param("run", runId)
                .param("kind", kind.name())
                .param("reason", reason)
                .param("at", Times.sql(at))
                .update();
    }

    /** Requests of these runs, oldest first. */
    public List<Open> open(Collection<String> runIds) {
        return runIds.isEmpty()
                ? List.of()
                : jdbc.sql("""
                        SELECT id, run_id, kind, reason FROM run_request
                        WHERE taken_at IS NULL AND run_id = ANY(:runs) ORDER BY id""")
                        .param("runs", runIds.toArray(String[]::new))
                        .query((row, number) -> new Open(row.getLong("id"), row.getString("run_id"),
                                Kind.valueOf(row.getString("kind")), row.getString("reason")))
                        .list();
    }

    /** Somebody has taken it. */
    public void taken(Open request, Instant at) {
        jdbc.sql("UPDATE run_request SET taken_at = :at WHERE id = :id")
                .param("at", Times.sql(at))
                .param("id", request.id())
                .update();
    }
}
