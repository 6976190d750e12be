// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the capacities that were found. */
public final class CapacityQueries {

    private final JdbcClient jdbc;

    private final RunJson json;

    public CapacityQueries(JdbcClient jdbc, RunJson json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** The newest of each instance of each service, by service and instance. */
    public List<CapacityRecord> newest() {
        return jdbc.sql("""
                SELECT DISTINCT ON (service, instance) content FROM capacity ORDER BY service, instance, id DESC""")
                .query((row, number) -> json.read(row.getString("content"), CapacityRecord.class))
                .list();
    }

    /** A service's capacities, newest first. */
    public List<CapacityRecord> history(String service, int limit) {
        return jdbc.sql("SELECT content FROM capacity WHERE service = :service ORDER BY id DESC LIMIT :limit")
                .param("service", service)
                .param("limit", limit)
                .query((row, number) -> json.read(row.getString("content"), CapacityRecord.class))
                .list();
    }

    /** The newest capacity of an instance. */
    public Optional<CapacityRecord> newest(String service, String instance) {
        return jdbc.sql("""
                SELECT content FROM capacity WHERE service = :service AND instance = :instance
                ORDER BY id DESC LIMIT 1""")
                .param("service", service)
                .param("instance", instance)
                .query((row, number) -> json.read(row.getString("content"), CapacityRecord.class))
                .optional();
    }

    /** What a run found. */
    public Optional<CapacityRecord> ofRun(String runId) {
        return jdbc.sql("SELECT content FROM capacity WHERE run_id = :run")
                .param("run", runId)
                .query((row, number) -> json.read(row.getString("content"), CapacityRecord.class))
                .optional();
    }

    /** The capacity of the same instance that was recorded before the one of this run. */
    public Optional<CapacityRecord> before(String runId) {
        return jdbc.sql("""
                SELECT earlier.content FROM capacity this
                JOIN capacity earlier ON earlier.service = this.service AND earlier.instance = this.instance
                    AND earlier.id < this.id
                WHERE this.run_id = :run ORDER BY earlier.id DESC LIMIT 1""")
                .param("run", runId)
                .query((row, number) -> json.read(row.getString("content"), CapacityRecord.class))
                .optional();
    }
}
