// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes a capacity with what its instance was. What was told of the instance counts first; where it says nothing, the
 * labels {@code version} and {@code hardware} of the run's plan do.
 */
final class CapacityWriter {

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    CapacityWriter(JdbcClient jdbc, RunJsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    void write(CapacityRecord capacity) {
        jdbc.sql("""
                INSERT INTO capacity (run_id, service, instance, content, recorded_at, version, hardware)
                SELECT run.id, :service, :instance, CAST(:content AS jsonb), :at,
                    coalesce(facts.version, run.plan #>> '{metadata,labels,version}'),
                    coalesce(facts.hardware, run.plan #>> '{metadata,labels,hardware}')
                FROM run LEFT JOIN instance_facts facts ON facts.service = :service AND facts.instance = :instance
                WHERE run.id = :run""")
                .param("run", capacity.runId())
                .param("service", capacity.service())
                .param("instance", capacity.instance())
                .param("content", json.write(capacity))
                .param("at", SqlTimestamps.sql(capacity.recordedAt()))
                .update();
    }
}
