// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.service.persistence.SqlTimestamps;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps calendars. What was read of them is kept in memory until the stored text is another one. */
public final class CalendarRepository implements CalendarLookup {

    private static final String FOLDER = "folder";

    private final JdbcClient jdbc;

    private final UnreadableRows unreadable;

    private final InstantSource clock;

    private final Map<String, Read> read = new ConcurrentHashMap<>();

    CalendarRepository(JdbcClient jdbc, UnreadableRows unreadable, InstantSource clock) {
        this.jdbc = jdbc;
        this.unreadable = unreadable;
        this.clock = clock;
    }

    private record Read(String hash, IcsCalendar calendar) {}

    /**
     * Checks a text.
     *
     * @return how many busy events it has
     * @throws InvalidCalendarException when it is no calendar that can be relied on
     */
    public int check(String content) throws InvalidCalendarException {
        return IcsCalendar.read(content, clock.instant()).size();
    }

    /** A calendar that was read but is not stored. */
    public BlackoutTimes preview(String content, ZoneId zone) throws InvalidCalendarException {
        return IcsCalendar.read(content, clock.instant()).in(zone);
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
                .param("hash", hash(content))
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

    @Override
    public Optional<BlackoutTimes> find(String name, ZoneId zone) {
        Optional<String> hash = jdbc.sql("SELECT hash FROM calendar WHERE name = :name")
                .param("name", name)
                .query(String.class)
                .optional();
        if (hash.isEmpty()) {
            read.remove(name);
            return Optional.empty();
        }
        Read known = read.get(name);
        if (known == null || !known.hash().equals(hash.get())) {
            known = stored(name).flatMap(this::read).orElse(null);
            if (known == null) {
                return Optional.empty();
            }
            read.put(name, known);
        }
        return Optional.of(known.calendar().in(zone));
    }

    /** Empty when it cannot be read: plans that need it do not start. */
    private Optional<Read> read(StoredCalendar stored) {
        return unreadable.read(UnreadableRows.Kind.CALENDAR, stored.name(),
                () -> new Read(stored.hash(), IcsCalendar.read(stored.content(), clock.instant())));
    }

    private static StoredCalendar row(ResultSet row, int number) throws SQLException {
        return new StoredCalendar(row.getString("name"), row.getString("content"), row.getString("hash"),
                row.getString("source").equals(FOLDER), SqlTimestamps.read(row, "updated_at"));
    }

    static String hash(String content) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
