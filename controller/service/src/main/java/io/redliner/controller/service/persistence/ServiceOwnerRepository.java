// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores which team owns which service. */
public final class ServiceOwnerRepository {

    private final JdbcClient jdbc;

    public ServiceOwnerRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the team that owns the service, if one does. */
    public Optional<String> team(String service) {
        return jdbc.sql("SELECT team FROM service_owner WHERE service = :service")
                .param("service", service)
                .query(String.class)
                .optional();
    }

    /** Returns the team of each service that is owned. */
    public Map<String, String> teams() {
        return jdbc.sql("SELECT service, team FROM service_owner")
                .query((row, number) -> Map.entry(row.getString("service"), row.getString("team")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    public void set(String service, String team, String by, Instant now) {
        jdbc.sql("""
                INSERT INTO service_owner (service, team, set_by, set_at) VALUES (:service, :team, :by, :at)
                ON CONFLICT (service) DO UPDATE SET team = :team, set_by = :by, set_at = :at""")
                .param("service", service)
                .param("team", team)
                .param("by", by)
                .param("at", SqlTimestamps.sql(now))
                .update();
    }

    /** Removes the owner. Returns false when there was none. */
    public boolean remove(String service) {
        return jdbc.sql("DELETE FROM service_owner WHERE service = :service").param("service", service).update() > 0;
    }
}
