// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.schedule.Deployment;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps deployments. */
public final class DeploymentRepository {

    private final JdbcClient jdbc;

    public DeploymentRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A place in the order of deployments, newest first. */
    public record Position(Instant at, String id) {}

    /** Adds a deployment. Returns false when there is one with its id. Waits for a transaction that is storing the same id. */
    public boolean add(Deployment deployment) {
        return jdbc.sql("""
                INSERT INTO deployment (id, service, version, instances, at, received_at)
                VALUES (:id, :service, :version, CAST(:instances AS text[]), :at, :receivedAt)
                ON CONFLICT (id) DO NOTHING""")
                .param("id", deployment.id())
                .param("service", deployment.service())
                .param("version", deployment.version())
                .param("instances", deployment.instances().toArray(String[]::new))
                .param("at", SqlTimestamps.sql(deployment.at()))
                .param("receivedAt", SqlTimestamps.sql(deployment.receivedAt()))
                .update() > 0;
    }

    /** Returns the deployment with this id. */
    public Optional<Deployment> find(String id) {
        return jdbc.sql("SELECT * FROM deployment WHERE id = :id")
                .param("id", id)
                .query(DeploymentRepository::row)
                .optional();
    }

    /** Deployments of a service, newest first. */
    public List<Deployment> ofService(String service, @Nullable Position before, int limit) {
        JdbcClient.StatementSpec statement = jdbc
                .sql("SELECT * FROM deployment WHERE service = :service"
                        + (before == null ? "" : " AND (at, id) < (:at, :id)")
                        + " ORDER BY at DESC, id DESC LIMIT :limit")
                .param("service", service)
                .param("limit", limit);
        if (before != null) {
            statement = statement.param("at", SqlTimestamps.sql(before.at())).param("id", before.id());
        }
        return statement.query(DeploymentRepository::row).list();
    }

    private static Deployment row(ResultSet row, int number) throws SQLException {
        return new Deployment(row.getString("id"), row.getString("service"), row.getString("version"),
                List.of((String[]) row.getArray("instances").getArray()), SqlTimestamps.read(row, "at"),
                SqlTimestamps.read(row, "received_at"));
    }
}
