// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.schedule.Firing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores firings and their outcomes. */
public final class FiringRepository {

    private static final String SELECT = """
            SELECT schedule_firing.*, EXISTS (SELECT 1 FROM series WHERE series.id = run_id) AS series
            FROM schedule_firing""";

    private final JdbcClient jdbc;

    public FiringRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Position in the order of firings, newest first. */
    public record Position(Instant due, String key) {}

    public Optional<Firing> find(String key) {
        return jdbc.sql(SELECT + " WHERE key = :key")
                .param("key", key)
                .query(FiringRepository::row)
                .optional();
    }

    /** Returns the firings with these keys that exist, by key. */
    public Map<String, Firing> find(Collection<String> keys) {
        return jdbc.sql(SELECT + " WHERE key = ANY(:keys)")
                .param("keys", keys.toArray(String[]::new))
                .query(FiringRepository::row)
                .list().stream()
                .collect(Collectors.toMap(Firing::key, Function.identity()));
    }

    /** Stores a firing; a settled one is not changed. */
    public void record(Firing firing) {
        jdbc.sql(
                """
                        INSERT INTO schedule_firing (key, plan_name, plan_version, due_at, cause, deployment_id, state, attempts,
                                                     fired_at, run_id, code, reason)
                        VALUES (:key, :plan, :version, :due, :cause, :deployment, :state, :attempts, :at, :run, :code, :reason)
                        ON CONFLICT (key) DO UPDATE SET state = EXCLUDED.state, attempts = EXCLUDED.attempts,
                            plan_version = EXCLUDED.plan_version, fired_at = EXCLUDED.fired_at, run_id = EXCLUDED.run_id,
                            code = EXCLUDED.code, reason = EXCLUDED.reason
                        WHERE schedule_firing.state = 'Waiting'""")
                .param("key", firing.key())
                .param("plan", firing.plan())
                .param("version", firing.planVersion())
                .param("due", SqlTimestamps.sql(firing.due()))
                .param("cause", firing.cause().wireName())
                .param("deployment", firing.deploymentId())
                .param("state", firing.state().wireName())
                .param("attempts", firing.progress().attempts())
                .param("at", SqlTimestamps.sql(firing.progress().firedAt()))
                .param("run", firing.progress().runId())
                .param("code", firing.progress().code())
                .param("reason", firing.progress().reason())
                .update();
    }

    /** Firings of a plan, newest first. */
    public List<Firing> ofPlan(String plan, @Nullable Position before, int limit) {
        JdbcClient.StatementSpec statement = jdbc
                .sql(SELECT + " WHERE plan_name = :plan"
                        + (before == null ? "" : " AND (due_at, key) < (:due, :key)")
                        + " ORDER BY due_at DESC, key DESC LIMIT :limit")
                .param("plan", plan)
                .param("limit", limit);
        if (before != null) {
            statement = statement.param("due", SqlTimestamps.sql(before.due())).param("key", before.key());
        }
        return statement.query(FiringRepository::row).list();
    }

    /** Firings that a deployment caused, by plan. */
    public List<Firing> ofDeployment(String deployment) {
        return jdbc.sql(SELECT + " WHERE deployment_id = :id ORDER BY plan_name")
                .param("id", deployment)
                .query(FiringRepository::row)
                .list();
    }

    private static Firing row(ResultSet row, int number) throws SQLException {
        return new Firing(row.getString("key"), row.getString("plan_name"), row.getInt("plan_version"),
                SqlTimestamps.read(row, "due_at"), row.getString("deployment_id"),
                new Firing.Progress(Firing.State.of(row.getString("state")), row.getInt("attempts"),
                        SqlTimestamps.read(row, "fired_at"), row.getString("run_id"), row.getString("code"),
                        row.getString("reason")),
                row.getBoolean("series"));
    }
}
