// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.replay.RunJsonMapper;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** A run's whole journal, line by line, each with the whole state. For use by one thread. */
public final class JournalExport {

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final String runId;

    private @Nullable JsonNode state;

    private long sequence;

    JournalExport(JdbcClient jdbc, RunJsonMapper json, String runId) {
        this.jdbc = jdbc;
        this.json = json;
        this.runId = runId;
    }

    /** Returns the next lines in order; none at the end. What cannot be understood is in them as it is stored. */
    public List<String> next(int limit) {
        List<JournalRows.Text> rows = jdbc.sql(JournalRows.SELECT
                + "WHERE entry.run_id = :run AND entry.sequence > :after ORDER BY entry.sequence LIMIT :limit")
                .param("run", runId)
                .param("after", sequence)
                .param("limit", limit)
                .query((row, number) -> JournalRows.text(row))
                .list();
        List<String> lines = new ArrayList<>();
        for (JournalRows.Text row : rows) {
            JsonNode decision = json.tree(row.decision());
            JsonNode stateBefore = RunJsonMapper.stateSeen(state, decision);
            state = RunJsonMapper.decided(stateBefore, decision);
            lines.add(RunJsonMapper.line(row.sequence(), row.decidedAt(), row.event(),
                    decision.has(RunJsonMapper.REPORTED) ? stateBefore : null, state, decision.path("commands")));
            sequence = row.sequence();
        }
        return lines;
    }

    /** Returns the sequence of the last line that was read. */
    public long sequence() {
        return sequence;
    }
}
