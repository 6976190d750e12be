// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import io.redliner.controller.plan.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps calendars. */
public final class CalendarRepository {

    private static final String FOLDER = "folder";

    /** First key of the advisory locks of calendars: "cal" in ASCII. */
    private static final int LOCK = 0x63616c;

    private final JdbcClient jdbc;

    private final InstantSource clock;

    public CalendarRepository(JdbcClient jdbc, InstantSource clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Makes all others wait that change the calendar of this name, until the transaction ends. */
    public void lock(String name) {
        jdbc.sql("SELECT pg_advisory_xact_lock(:lock, hashtext(:name))")
                .param("lock", LOCK)
                .param("name", name)
                .query((row, number) -> true)
                .single();
    }

    /**
     * Stores a text that was checked; false when it is stored already.
     *
     * @param team that owns the calendar from now on, null for none
     */
    public boolean put(String name, String content, CalendarSummary summary, boolean folder, @Nullable String team) {
        String hash = Sha256.hex(content);
        boolean changed = hashOf(name, folder).filter(hash::equals).isEmpty();
        jdbc.sql("""
                INSERT INTO calendar (name, content, hash, source, updated_at, team, busy_events, free_events, warnings)
                VALUES (:name, :content, :hash, :source, :at, :team, :busy, :free, :warnings)
                ON CONFLICT (name) DO UPDATE SET content = EXCLUDED.content, hash = EXCLUDED.hash,
                    source = EXCLUDED.source, team = EXCLUDED.team, busy_events = EXCLUDED.busy_events,
                    free_events = EXCLUDED.free_events, warnings = EXCLUDED.warnings,
                    updated_at = CASE WHEN :changed THEN EXCLUDED.updated_at ELSE calendar.updated_at END""")
                .param("name", name)
                .param("content", content)
                .param("hash", hash)
                .param("source", folder ? FOLDER : "api")
                .param("at", SqlTimestamps.sql(clock.instant()))
                .param("team", team, Types.VARCHAR)
                .param("busy", summary.busy())
                .param("free", summary.free())
                .param("warnings", summary.warnings().toArray(String[]::new))
                .param("changed", changed)
                .update();
        return changed;
    }

    private Optional<String> hashOf(String name, boolean folder) {
        return jdbc.sql("SELECT hash FROM calendar WHERE name = :name AND source = :source")
                .param("name", name)
                .param("source", folder ? FOLDER : "api")
                .query(String.class)
                .optional();
    }

    /** Removes a calendar; false when there is none. */
    public boolean delete(String name) {
        return jdbc.sql("DELETE FROM calendar WHERE name = :name").param("name", name).update() > 0;
    }

    /** Returns the calendar with this name. */
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

    /** Returns the calendars that came from the plan folder. */
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

    /** Services of all plans whose schedule needs the calendar. */
    public List<String> services(String name) {
        return jdbc.sql("""
                SELECT DISTINCT service FROM plan_schedule WHERE calendars @> ARRAY[:name]::text[]
                ORDER BY service""").param("name", name).query(String.class).list();
    }

    /** Returns the hash of a calendar's text; empty when there is no such calendar. */
    public Optional<String> hashOf(String name) {
        return jdbc.sql("SELECT hash FROM calendar WHERE name = :name")
                .param("name", name)
                .query(String.class)
                .optional();
    }

    private static StoredCalendar row(ResultSet row, int number) throws SQLException {
        return new StoredCalendar(row.getString("name"), row.getString("content"), row.getString("hash"),
                row.getString("source").equals(FOLDER), row.getString("team"), SqlTimestamps.read(row, "updated_at"),
                new CalendarSummary(row.getInt("busy_events"), row.getInt("free_events"),
                        List.of((String[]) row.getArray("warnings").getArray())));
    }
}
