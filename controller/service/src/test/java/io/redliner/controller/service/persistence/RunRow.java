// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.plan.CanonicalPlan;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The row of a run that has no decision yet. */
final class RunRow {

    private static final RunJsonMapper JSON = new RunJsonMapper();

    private RunRow() {}

    static StoredRun insert(JdbcClient jdbc, String id, RunBounds bounds, Instant at) {
        return insert(jdbc, id, new RunState.Pending(
                new RunFacts(id, id, "a:1", 7, new Share(250_000), bounds, RunTimeouts.DEFAULT, at)), at);
    }

    static StoredRun insert(JdbcClient jdbc, String id, RunState state, Instant at) {
        jdbc.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, first_state)
                VALUES (:id, :id, 'a:1', 'plan', 'hash', '{}', 'Pending', 1, CAST(:state AS jsonb), 0, 0, :at,
                        CAST(:state AS jsonb))""")
                .param("id", id)
                .param("state", JSON.write(state))
                .param("at", SqlTimestamps.sql(at))
                .update();
        return new StoredRun(id, new CanonicalPlan("plan", "hash", "{}"), state, 0, 0, at, null);
    }
}
