// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of the database that this version cannot read: another version or a person wrote them, or they are damaged. Each is left
 * out, counted and named, so that it stops nothing else; it is forgotten when it can be read again. Safe for use by several
 * threads.
 */
public final class UnreadableRows implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(UnreadableRows.class);

    /** The largest number of rows that are counted per kind. Further rows are left out and logged. */
    private static final int MAX_COUNTED = 10_000;

    private static final int MAX_NAMED = 10;

    private final Map<Kind, Set<String>> known = new EnumMap<>(Kind.class);

    /** The kinds of rows. */
    public enum Kind {
        RUN, PLAN, SERIES, CAPACITY, JOURNAL_ENTRY, REQUEST, WINDOW, STEP, NOTIFICATION, CALENDAR;

        /** Returns the name in logs, metrics and health. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Creates an empty list. */
    public UnreadableRows() {
        for (Kind kind : Kind.values()) {
            known.put(kind, ConcurrentHashMap.newKeySet());
        }
    }

    /**
     * Reads a row; returns empty when it cannot be read.
     *
     * @param name identifies the row among those of its kind
     * @param reading does not ask the database
     */
    public <T> Optional<T> read(Kind kind, String name, Callable<T> reading) {
        try {
            return Optional.of(require(kind, name, reading));
        } catch (UnreadableRowException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * Reads a row.
     *
     * @throws UnreadableRowException when it cannot be read
     */
    public <T> T require(Kind kind, String name, Callable<T> reading) {
        Set<String> names = ofKind(kind);
        try {
            T content = reading.call();
            if (!names.isEmpty()) {
                names.remove(name);
            }
            return content;
        } catch (Exception malformed) {
            if (names.size() < MAX_COUNTED ? names.add(name) : !names.contains(name)) {
                LOG.error("{} {} cannot be read, and is left out: {}", kind.wireName(), name, malformed.toString());
            }
            throw new UnreadableRowException(kind, name, malformed);
        }
    }

    /** Returns the number of rows of a kind that are known to be unreadable. */
    public int count(Kind kind) {
        return ofKind(kind).size();
    }

    /** Returns the first names of each kind that has any. */
    public Map<String, List<String>> named() {
        Map<String, List<String>> named = new TreeMap<>();
        known.forEach((kind, names) -> {
            if (!names.isEmpty()) {
                named.put(kind.wireName(), names.stream().sorted().limit(MAX_NAMED).toList());
            }
        });
        return named;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (Kind kind : Kind.values()) {
            Gauge.builder("redliner.controller.unreadable.rows", this, rows -> rows.count(kind))
                    .description("rows of the database that this version cannot read")
                    .tag("kind", kind.wireName())
                    .register(meters);
        }
    }

    private Set<String> ofKind(Kind kind) {
        return known.getOrDefault(kind, Set.of());
    }
}
