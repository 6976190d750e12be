// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import io.redliner.controller.plan.Ppm;
import io.redliner.controller.run.JudgedWindow;
import io.redliner.controller.run.WindowVerdict;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads rows of the table {@code judged_window}: their phase, asked_ppm and content. */
final class JudgedWindowRows {

    private final RunJson json;

    JudgedWindowRows(RunJson json) {
        this.json = json;
    }

    /** A row as it is stored. */
    record Text(String phase, int askedPpm, String content) {}

    JudgedWindow read(ResultSet row, int number) throws SQLException {
        return parse(text(row));
    }

    Text text(ResultSet row) throws SQLException {
        return new Text(row.getString("phase"), row.getInt("asked_ppm"), row.getString("content"));
    }

    JudgedWindow parse(Text row) {
        return new JudgedWindow(row.phase(), new Ppm(row.askedPpm()), json.read(row.content(), WindowVerdict.class));
    }
}
