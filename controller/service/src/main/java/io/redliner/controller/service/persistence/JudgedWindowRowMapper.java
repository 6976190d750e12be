// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.WindowVerdict;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.springframework.jdbc.core.RowMapper;

/** Reads rows of the table {@code judged_window}. */
final class JudgedWindowRowMapper {

    /** The columns that are read of the table {@code judged_window}, which must have no alias. */
    static final String COLUMNS = "judged_window.sequence AS window_sequence, judged_window.phase AS window_phase,"
            + " judged_window.asked_ppm, judged_window.moved, judged_window.content";

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    JudgedWindowRowMapper(RunJsonMapper json, UnreadableRows unreadable) {
        this.json = json;
        this.unreadable = unreadable;
    }

    /** Reads rows of a run's windows; their position is the window's sequence. */
    RowMapper<Row<Long, JudgedWindow>> of(String runId) {
        return (row, number) -> new Row<>(row.getLong("window_sequence"), read(row, runId));
    }

    /** Reads rows of a run's windows; one that cannot be read fails with an {@link UnreadableRowException}. */
    RowMapper<JudgedWindow> required(String runId) {
        return (row, number) -> unreadable.require(UnreadableRows.Kind.WINDOW, name(row, runId), reading(row));
    }

    /** Reads a window; returns empty when it cannot be read. */
    Optional<JudgedWindow> read(ResultSet row, String runId) throws SQLException {
        return unreadable.read(UnreadableRows.Kind.WINDOW, name(row, runId), reading(row));
    }

    private static String name(ResultSet row, String runId) throws SQLException {
        return runId + "/" + row.getLong("window_sequence");
    }

    private Callable<JudgedWindow> reading(ResultSet row) throws SQLException {
        String phase = row.getString("window_phase");
        Share requestedShare = new Share(row.getInt("asked_ppm"));
        Boolean moved = row.getObject("moved", Boolean.class);
        String content = row.getString("content");
        return () -> new JudgedWindow(phase, requestedShare, moved, json.read(content, WindowVerdict.class));
    }
}
