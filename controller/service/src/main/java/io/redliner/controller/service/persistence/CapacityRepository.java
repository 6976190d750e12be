// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.core.replay.RunJsonMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores the capacities that runs have found, and reads them. */
public final class CapacityRepository {

    private static final String COLUMNS = """
            SELECT this.id, this.run_id, this.service, this.instance, this.recorded_at, this.content, this.version,
                   this.hardware,
                   earlier.content AS earlier_content, earlier.version AS earlier_version
            """;

    private static final String PREVIOUS = """
            LEFT JOIN LATERAL (SELECT content, version FROM capacity earlier
               WHERE earlier.service = this.service AND earlier.instance = this.instance
                   AND (earlier.recorded_at, earlier.id) < (this.recorded_at, this.id)
               ORDER BY earlier.recorded_at DESC, earlier.id DESC LIMIT 1) earlier ON true
            """;

    /**
     * Selects the newest capacity of each instance. The recursion jumps in the index from one instance to the next, so the length
     * of the histories does not matter.
     */
    static final String NEWEST_OF_EACH = """
            WITH RECURSIVE place AS (
                (SELECT service, instance FROM capacity WHERE (service, instance) > (:service, :instance)
                 ORDER BY service, instance LIMIT 1)
                UNION ALL
                SELECT next.service, next.instance FROM place, LATERAL (
                    SELECT service, instance FROM capacity
                    WHERE (capacity.service, capacity.instance) > (place.service, place.instance)
                    ORDER BY service, instance LIMIT 1) next)
            """ + COLUMNS + """
            FROM place, LATERAL (SELECT * FROM capacity
               WHERE capacity.service = place.service AND capacity.instance = place.instance
               ORDER BY recorded_at DESC, id DESC LIMIT 1) this
            """ + PREVIOUS;

    static final String NEWEST_OF_SERVICE = NEWEST_OF_EACH.replace("LIMIT 1) next)",
            "LIMIT 1) next WHERE next.service = :service)") + " WHERE place.service = :service LIMIT :limit";

    /**
     * Each branch has an index in its order. The planner takes a bare comparison of contents for rare; it would read and sort
     * the whole history.
     */
    static final String RECENT = """
            SELECT wanted.service, point.recorded_at, CAST(CASE WHEN point.content->'lowerBound' = 'true'
                    AND jsonb_typeof(point.content->'low') = 'number' THEN point.content->>'low'
                    ELSE point.content->>'capacity' END AS double precision) AS capacity,
                point.content->'lowerBound' = 'true' AS lower_bound
            FROM unnest(:services) AS wanted(service), LATERAL (
                SELECT instance, hardware FROM capacity WHERE capacity.service = wanted.service
                ORDER BY recorded_at DESC, id DESC LIMIT 1) newest, LATERAL (
                (SELECT id, recorded_at, content FROM capacity
                    WHERE newest.hardware IS NULL AND service = wanted.service AND instance = newest.instance
                        AND coalesce(jsonb_typeof(content->'capacity') = 'number', false)
                    ORDER BY recorded_at DESC, id DESC LIMIT :each)
                UNION ALL
                (SELECT id, recorded_at, content FROM capacity
                    WHERE service = wanted.service AND hardware = newest.hardware
                        AND coalesce(jsonb_typeof(content->'capacity') = 'number', false)
                    ORDER BY recorded_at DESC, id DESC LIMIT :each)) point
            ORDER BY point.recorded_at, point.id""";

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public CapacityRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /** Position in the order by service and instance; a page of newest capacities begins after it. */
    public record Place(String service, String instance) {

        /** The position before all others. */
        public static final Place START = new Place("", "");
    }

    /** Position in the order of capacities, newest first. */
    public record Position(Instant recordedAt, long id) {}

    /**
     * Selects capacities of a service; an absent component does not filter.
     *
     * @param since recorded at or after
     * @param before only those that come after this one in the order newest first
     */
    public record Filter(String service, @Nullable String instance, @Nullable String version,
            @Nullable String hardware, @Nullable Instant since, @Nullable Position before, int limit) {

        Filter page(@Nullable Position after, int rows) {
            return new Filter(service, instance, version, hardware, since, after, rows);
        }

        /** Returns the newest of a service. */
        public static Filter of(String service, int limit) {
            return new Filter(service, null, null, null, null, null, limit);
        }
    }

    /** Returns the newest of each instance of each service. */
    public List<CapacityRecord> newest() {
        return newest(Place.START, Integer.MAX_VALUE).stream().map(StoredCapacity::record).toList();
    }

    /** Returns the newest of each instance of each service that can be read, by service and instance, after a place. */
    public List<StoredCapacity> newest(Place after, int limit) {
        return Row.page(after, limit, (place, rest) -> jdbc.sql(NEWEST_OF_EACH + " LIMIT :limit")
                .param("service", requireNonNull(place).service())
                .param("instance", place.instance())
                .param("limit", rest)
                .query((row, number) -> new Row<>(place(row), readOrSkip(row)))
                .list());
    }

    /** Returns the newest of each instance of a service that can be read, by instance, after one of them. */
    public List<StoredCapacity> newest(String service, String afterInstance, int limit) {
        return Row.page(new Place(service, afterInstance), limit, (place, rest) -> jdbc.sql(NEWEST_OF_SERVICE)
                .param("service", service)
                .param("instance", requireNonNull(place).instance())
                .param("limit", rest)
                .query((row, number) -> new Row<>(place(row), readOrSkip(row)))
                .list());
    }

    private static Place place(ResultSet row) throws SQLException {
        return new Place(row.getString("service"), row.getString("instance"));
    }

    /** Returns a service's capacities that can be read, newest first. */
    public List<StoredCapacity> history(Filter filter) {
        return Row.page(filter.before(), filter.limit(), (after, rest) -> {
            Filter page = filter.page(after, rest);
            return jdbc.sql(historySql(page)).params(parameters(page)).query((row, number) -> new Row<>(
                    new Position(SqlTimestamps.read(row, "recorded_at"), row.getLong("id")), readOrSkip(row))).list();
        });
    }

    static String historySql(Filter filter) {
        StringBuilder sql = new StringBuilder(
                COLUMNS + "FROM capacity this\n" + PREVIOUS + " WHERE this.service = :service");
        append(sql, filter.instance(), " AND this.instance = :instance");
        append(sql, filter.version(), " AND this.version = :version");
        append(sql, filter.hardware(), " AND this.hardware = :hardware");
        append(sql, filter.since(), " AND this.recorded_at >= :since");
        append(sql, filter.before(), " AND (this.recorded_at, this.id) < (:before, :beforeId)");
        return sql.append(" ORDER BY this.recorded_at DESC, this.id DESC LIMIT :limit").toString();
    }

    /** Parameters of the statement; those that it does not name are ignored. */
    static Map<String, Object> parameters(Filter filter) {
        Map<String, Object> parameters = new HashMap<>(Map.of("service", filter.service(), "limit", filter.limit()));
        put(parameters, "instance", filter.instance());
        put(parameters, "version", filter.version());
        put(parameters, "hardware", filter.hardware());
        put(parameters, "since", filter.since() == null ? null : SqlTimestamps.sql(filter.since()));
        Position before = filter.before();
        put(parameters, "before", before == null ? null : SqlTimestamps.sql(before.recordedAt()));
        put(parameters, "beforeId", before == null ? null : before.id());
        return parameters;
    }

    private static void append(StringBuilder sql, @Nullable Object given, String condition) {
        if (given != null) {
            sql.append(condition);
        }
    }

    private static void put(Map<String, Object> parameters, String name, @Nullable Object value) {
        if (value != null) {
            parameters.put(name, value);
        }
    }

    /**
     * Returns earlier capacities that are comparable with a run, newest first: of the same service, version and hardware, with the
     * same SLA and redirect. When the hardware is unknown, they are of the same instance.
     *
     * @param facts facts of the instance, with a version
     * @param plan canonical JSON of the run's plan
     */
    public List<StoredCapacity> comparable(String service, String instance, InstanceFacts facts, String plan,
            Instant since, int limit) {
        return jdbc.sql(COLUMNS + "FROM capacity this\n" + PREVIOUS + """
                JOIN run ON run.id = this.run_id
                WHERE this.service = :service AND this.recorded_at >= :since AND this.version = :version
                """ + (facts.hardware() == null
                ? " AND this.hardware IS NULL AND this.instance = :instance"
                : " AND this.hardware = :hardware")
                + """
                            AND run.plan #> '{spec,sla}' = CAST(:plan AS jsonb) #> '{spec,sla}'
                            AND run.plan #> '{spec,redirect}' IS NOT DISTINCT FROM CAST(:plan AS jsonb) #> '{spec,redirect}'
                        ORDER BY this.recorded_at DESC, this.id DESC LIMIT :limit""")
                .param("service", service)
                .param("instance", instance)
                .param("since", SqlTimestamps.sql(since))
                .param("version", facts.version())
                .param("hardware", facts.hardware())
                .param("plan", plan)
                .param("limit", limit)
                .query((row, number) -> readOrSkip(row))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** A capacity at the time at which it was found, in requests/s; with {@code lowerBound} the lower end of its interval. */
    public record Point(Instant at, double capacity, boolean lowerBound) {}

    /**
     * Returns the newest capacities of services, oldest first. Of each service they are of the instance that was tested last, or of
     * its hardware class where that is known: others could not be compared with it.
     *
     * @param each how many of each service at most
     */
    public Map<String, List<Point>> recent(Collection<String> services, int each) {
        return jdbc.sql(RECENT)
                .param("services", services.toArray(String[]::new))
                .param("each", each)
                .query((row, number) -> Map.entry(row.getString("service"), new Point(
                        SqlTimestamps.read(row, "recorded_at"), row.getDouble("capacity"),
                        row.getBoolean("lower_bound"))))
                .list()
                .stream()
                .collect(Collectors.groupingBy(Map.Entry::getKey,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /** Returns the capacity that a run found, with the one before it. */
    public Optional<StoredCapacity> find(String runId) {
        return jdbc.sql(COLUMNS + "FROM capacity this\n" + PREVIOUS + " WHERE this.run_id = :run")
                .param("run", runId)
                .query(this::read)
                .optional();
    }

    /** Returns the newest capacity of an instance that can be read. */
    public Optional<CapacityRecord> newest(String service, String instance) {
        return history(new Filter(service, instance, null, null, null, null, 1)).stream()
                .findFirst()
                .map(StoredCapacity::record);
    }

    /** Returns the capacity that a run found. */
    public Optional<CapacityRecord> ofRun(String runId) {
        return find(runId).map(StoredCapacity::record);
    }

    /** Returns the capacity of the same instance that was recorded before the one of this run. */
    public Optional<CapacityRecord> before(String runId) {
        return find(runId).map(StoredCapacity::previous).flatMap(previous -> ofRun(previous.runId()));
    }

    /**
     * Writes a capacity with the facts of its instance. Facts that were reported of the instance take precedence. The labels
     * {@code version} and {@code hardware} of the run's plan replace those that are missing.
     */
    void insert(CapacityRecord capacity) {
        jdbc.sql("""
                INSERT INTO capacity (run_id, service, instance, content, recorded_at, version, hardware)
                SELECT run.id, :service, :instance, CAST(:content AS jsonb), :at,
                    coalesce(facts.version, run.plan #>> '{metadata,labels,version}'),
                    coalesce(facts.hardware, run.plan #>> '{metadata,labels,hardware}')
                FROM run LEFT JOIN instance_facts facts ON facts.service = :service AND facts.instance = :instance
                WHERE run.id = :run""")
                .param("run", capacity.runId())
                .param("service", capacity.service())
                .param("instance", capacity.instance())
                .param("content", json.write(capacity))
                .param("at", SqlTimestamps.sql(capacity.recordedAt()))
                .update();
    }

    private Optional<StoredCapacity> readOrSkip(ResultSet row) throws SQLException {
        Text text = Text.of(row);
        return unreadable.read(UnreadableRows.Kind.CAPACITY, text.runId(), () -> parse(text));
    }

    private StoredCapacity read(ResultSet row, int number) throws SQLException {
        Text text = Text.of(row);
        return unreadable.require(UnreadableRows.Kind.CAPACITY, text.runId(), () -> parse(text));
    }

    private StoredCapacity parse(Text row) {
        return new StoredCapacity(row.id(), json.read(row.content(), CapacityRecord.class), row.version(),
                row.hardware(), previous(row));
    }

    /** A row as it is stored. */
    private record Text(long id, String runId, String content, @Nullable String version, @Nullable String hardware,
            @Nullable String earlier, @Nullable String earlierVersion) {

        static Text of(ResultSet row) throws SQLException {
            return new Text(row.getLong("id"), row.getString("run_id"), row.getString("content"),
                    row.getString("version"), row.getString("hardware"), row.getString("earlier_content"),
                    row.getString("earlier_version"));
        }
    }

    private StoredCapacity.@Nullable Previous previous(Text row) {
        String earlier = row.earlier();
        return earlier == null
                ? null
                : unreadable.read(UnreadableRows.Kind.CAPACITY, "before " + row.runId(), () -> {
                    CapacityRecord record = json.read(earlier, CapacityRecord.class);
                    return new StoredCapacity.Previous(record.runId(), row.earlierVersion(),
                            StoredCapacity.measured(record));
                }).orElse(null);
    }
}
