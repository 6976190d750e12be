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

    JudgedWindow read(ResultSet row, int number) throws SQLException {
        return new JudgedWindow(row.getString("phase"), new Ppm(row.getInt("asked_ppm")),
                json.read(row.getString("content"), WindowVerdict.class));
    }
}
