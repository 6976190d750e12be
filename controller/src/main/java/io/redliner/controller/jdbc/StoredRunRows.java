// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads rows of the table {@code run}. */
final class StoredRunRows {

    static final String SELECT = "SELECT id, plan_name, plan_hash, plan, state, version, journal_sequence, submitted_at,"
            + " finished_at FROM run";

    private final RunJson json;

    StoredRunRows(RunJson json) {
        this.json = json;
    }

    StoredRun read(ResultSet row, int number) throws SQLException {
        return new StoredRun(row.getString("id"), row.getString("plan_name"), row.getString("plan_hash"),
                row.getString("plan"), json.state(row.getString("state")), row.getLong("version"),
                row.getLong("journal_sequence"), Times.read(row, "submitted_at"), Times.readIfAny(row, "finished_at"));
    }
}
