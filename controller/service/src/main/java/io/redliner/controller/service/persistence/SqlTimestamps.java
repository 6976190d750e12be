// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.TimestampRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Converts between instants and PostgreSQL's timestamps. */
public final class SqlTimestamps {

    private SqlTimestamps() {}

    /** Converts an instant to a parameter. An instant beyond the years that PostgreSQL knows becomes the nearest one within. */
    public static OffsetDateTime sql(Instant instant) {
        return TimestampRange.nearest(instant).atOffset(ZoneOffset.UTC);
    }

    /** Reads a column that is not null. */
    public static Instant read(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** Reads a column that may be null. */
    public static @Nullable Instant readIfAny(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
