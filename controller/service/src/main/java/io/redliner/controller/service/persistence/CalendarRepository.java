// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.plan.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps calendars. */
public final class CalendarRepository {

    private static final String FOLDER = "folder";

    private final JdbcClient jdbc;

    private final InstantSource clock;

    public CalendarRepository(JdbcClient jdbc, InstantSource clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Stores a text that was checked; false when it is stored already. */
    public boolean put(String name, String content, boolean folder) {
        return jdbc.sql("""
                INSERT INTO calendar (name, content, hash, source, updated_at)
                VALUES (:name, :content, :hash, :source, :at)
                ON CONFLICT (name) DO UPDATE SET content = EXCLUDED.content, hash = EXCLUDED.hash,
                    source = EXCLUDED.source, updated_at = EXCLUDED.updated_at
                WHERE calendar.hash <> EXCLUDED.hash OR calendar.source <> EXCLUDED.source""")
                .param("name", name)
                .param("content", content)
                .param("hash", Sha256.hex(content))
                .param("source", folder ? FOLDER : "api")
                .param("at", SqlTimestamps.sql(clock.instant()))
                .update() > 0;
    }

    /** Removes a calendar; false when there is none. */
    public boolean delete(String name) {
        return jdbc.sql("DELETE FROM calendar WHERE name = :name").param("name", name).update() > 0;
    }

    /** The calendar with this name. */
    public Optional<StoredCalendar> stored(String name) {
        return jdbc.sql("SELECT * FROM calendar WHERE name = :name")
                .param("name", name)
                .query(CalendarRepository::row)
                .optional();
    }

    /** Calendars after a name, by name. */
    public List<StoredCalendar> list(String after, int limit) {
        return jdbc.sql("SELECT * FROM calendar WHERE name > :after ORDER BY name LIMIT :limit")
                .param("after", after)
                .param("limit", limit)
                .query(CalendarRepository::row)
                .list();
    }

    /** The calendars that came from the plan folder. */
    public List<StoredCalendar> ofFolder() {
        return jdbc.sql("SELECT * FROM calendar WHERE source = :source ORDER BY name")
                .param("source", FOLDER)
                .query(CalendarRepository::row)
                .list();
    }

    /** Plans whose schedule needs the calendar, by name; at most ten. */
    public List<String> users(String name) {
        return jdbc.sql("""
                SELECT plan_name FROM plan_schedule WHERE calendars @> ARRAY[:name]::text[] ORDER BY plan_name
                LIMIT 10""").param("name", name).query(String.class).list();
    }

    /** The hash of a calendar's text; empty when there is no such calendar. */
    public Optional<String> hashOf(String name) {
        return jdbc.sql("SELECT hash FROM calendar WHERE name = :name")
                .param("name", name)
                .query(String.class)
                .optional();
    }

    private static StoredCalendar row(ResultSet row, int number) throws SQLException {
        return new StoredCalendar(row.getString("name"), row.getString("content"), row.getString("hash"),
                row.getString("source").equals(FOLDER), SqlTimestamps.read(row, "updated_at"));
    }
}
