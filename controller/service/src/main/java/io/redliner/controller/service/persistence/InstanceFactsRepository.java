// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.capacity.InstanceFacts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores the facts that were reported about instances. */
public final class InstanceFactsRepository {

    private final JdbcClient jdbc;

    public InstanceFactsRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The facts of an instance, and when they were reported last. */
    public record Known(String service, String instance, InstanceFacts facts, Instant updatedAt) {}

    /** Replaces the facts of an instance. */
    public void put(String service, String instance, InstanceFacts facts, Instant at) {
        jdbc.sql("""
                INSERT INTO instance_facts (service, instance, version, hardware, failure_domain, updated_at)
                VALUES (:service, :instance, :version, :hardware, :domain, :at)
                ON CONFLICT (service, instance) DO UPDATE SET version = EXCLUDED.version,
                    hardware = EXCLUDED.hardware, failure_domain = EXCLUDED.failure_domain,
                    updated_at = EXCLUDED.updated_at""")
                .param("service", service)
                .param("instance", instance)
                .param("version", facts.version())
                .param("hardware", facts.hardware())
                .param("domain", facts.failureDomain())
                .param("at", SqlTimestamps.sql(at))
                .update();
    }

    /**
     * Sets the version that was deployed to instances, and leaves their other facts unchanged. Facts that were reported after the
     * deployment stay as well.
     */
    public void deployed(String service, List<String> instances, String version, Instant at) {
        jdbc.sql(
                """
                        INSERT INTO instance_facts (service, instance, version, updated_at)
                        SELECT :service, instance, :version, :at
                        FROM (SELECT DISTINCT unnest(CAST(:instances AS text[])) AS instance) named ORDER BY instance
                        ON CONFLICT (service, instance) DO UPDATE
                            SET version = EXCLUDED.version, updated_at = greatest(instance_facts.updated_at, EXCLUDED.updated_at)
                            WHERE instance_facts.version IS NULL OR EXCLUDED.updated_at >= instance_facts.updated_at""")
                .param("service", service)
                .param("instances", instances.toArray(String[]::new))
                .param("version", version)
                .param("at", SqlTimestamps.sql(at))
                .update();
    }

    /** Returns the facts of an instance. */
    public Optional<Known> find(String service, String instance) {
        return jdbc.sql("SELECT * FROM instance_facts WHERE service = :service AND instance = :instance")
                .param("service", service)
                .param("instance", instance)
                .query(InstanceFactsRepository::read)
                .optional();
    }

    /** Returns the facts of a service's instances, by instance. */
    public List<Known> of(String service) {
        return jdbc.sql("SELECT * FROM instance_facts WHERE service = :service ORDER BY instance")
                .param("service", service)
                .query(InstanceFactsRepository::read)
                .list();
    }

    /** Returns the facts of all instances, by service and instance. */
    public List<Known> all() {
        return jdbc.sql("SELECT * FROM instance_facts ORDER BY service, instance")
                .query(InstanceFactsRepository::read)
                .list();
    }

    private static Known read(ResultSet row, int number) throws SQLException {
        return new Known(row.getString("service"), row.getString("instance"), new InstanceFacts(
                row.getString("version"), row.getString("hardware"), row.getString("failure_domain")),
                SqlTimestamps.read(row, "updated_at"));
    }
}
