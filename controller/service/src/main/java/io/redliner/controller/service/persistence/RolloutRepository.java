// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.sut.Rollout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what instances are chosen by: which versions were deployed when, and when each instance was tested last. */
public final class RolloutRepository {

    private static final int MAX_VERSIONS = 1_000;

    /** The newest runs of a service that are searched for tested instances. */
    private static final int RUNS = 1_000;

    private final JdbcClient jdbc;

    public RolloutRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the deployment with this id. */
    public Optional<Rollout> deployment(String id) {
        return jdbc.sql("SELECT id, version, at, cardinality(instances) > 0 AS named FROM deployment WHERE id = :id")
                .param("id", id)
                .query((row, number) -> rollout(row))
                .optional();
    }

    /** Returns the versions of a service, the one that was deployed last first. */
    public List<Rollout> rollouts(String service) {
        return rollouts(service, Instant.parse("9999-12-31T00:00:00Z"), "");
    }

    /** Returns the versions of a service as they were known when a deployment was the last one; its own is the first. */
    public List<Rollout> rolloutsUntil(String service, Rollout cause) {
        return rollouts(service, cause.at(), cause.id());
    }

    private List<Rollout> rollouts(String service, Instant until, String id) {
        return jdbc.sql("""
                SELECT id, version, at, named FROM (
                    SELECT DISTINCT ON (version) version, at, id, cardinality(instances) > 0 AS named FROM deployment
                    WHERE service = :service AND (at, id) <= (:until, :id)
                    ORDER BY version, at DESC, id DESC) newest
                ORDER BY at DESC, id DESC LIMIT :limit""")
                .param("service", service)
                .param("until", SqlTimestamps.sql(until))
                .param("id", id)
                .param("limit", MAX_VERSIONS)
                .query((row, number) -> rollout(row))
                .list();
    }

    /** Returns the newest deployment of a service after this one; empty when there is none or it has the same version. */
    public Optional<Rollout> since(String service, Rollout cause) {
        return jdbc.sql("""
                SELECT id, version, at, cardinality(instances) > 0 AS named FROM deployment
                WHERE service = :service AND (at, id) > (:at, :id) ORDER BY at DESC, id DESC LIMIT 1""")
                .param("service", service)
                .param("at", SqlTimestamps.sql(cause.at()))
                .param("id", cause.id())
                .query((row, number) -> rollout(row))
                .optional()
                .filter(rollout -> !rollout.version().equals(cause.version()));
    }

    /** Returns the instants of the last tests of a service's instances, by address, in its newest runs; a failed run counts. */
    public Map<String, Instant> tested(String service) {
        Map<String, Instant> tested = new HashMap<>();
        jdbc.sql("""
                SELECT sut, max(submitted_at) AS at FROM (
                    SELECT sut, submitted_at FROM run WHERE service = :service
                    ORDER BY submitted_at DESC, id DESC LIMIT :runs) newest
                GROUP BY sut""")
                .param("service", service)
                .param("runs", RUNS)
                .query(row -> {
                    tested.put(row.getString("sut"), SqlTimestamps.read(row, "at"));
                });
        return tested;
    }

    private static Rollout rollout(ResultSet row) throws SQLException {
        return new Rollout(row.getString("id"), row.getString("version"), SqlTimestamps.read(row, "at"),
                row.getBoolean("named"));
    }
}
