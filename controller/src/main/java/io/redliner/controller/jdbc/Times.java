// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Instants as PostgreSQL wants them. */
public final class Times {

    private Times() {}

    /** As a parameter. */
    public static OffsetDateTime sql(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** A column that is never null. */
    public static Instant read(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** A column that may be null. */
    public static @Nullable Instant readIfAny(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
