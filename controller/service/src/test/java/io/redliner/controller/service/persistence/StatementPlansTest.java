// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Scene;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A plan that was made while a table was small, and kept, reads all of it when it is large. */
class StatementPlansTest {

    /** After so many executions PostgreSQL would keep a plan that knows no values. */
    private static final int EXECUTIONS = 6;

    @Test
    void every_execution_of_a_statement_is_planned_with_its_values() throws SQLException {
        DataSource source = Scene.shared().context().getBean(DataSource.class);
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("PREPARE windows (text) AS SELECT * FROM judged_window WHERE run_id = $1");
            try {
                for (int number = 0; number < EXECUTIONS; number++) {
                    statement.execute("EXECUTE windows ('none')");
                }
                assertThat(plan(statement)).contains("'none'").doesNotContain("$1");
            } finally {
                statement.execute("DEALLOCATE windows");
            }
        }
    }

    private static String plan(Statement statement) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet rows = statement.executeQuery("EXPLAIN EXECUTE windows ('none')")) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }
}
