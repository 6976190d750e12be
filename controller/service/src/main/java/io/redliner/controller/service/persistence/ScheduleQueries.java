// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.schedule.Firing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the schedules of plans with their next and their last firing. */
public final class ScheduleQueries {

    private static final String SELECT = """
            SELECT s.*, v.content #>> '{spec,schedule,zone}' AS zone, t.execution_time, f.key AS last_key
            FROM plan_schedule s
            JOIN plan_version v ON v.plan_name = s.plan_name AND v.version = s.plan_version
            LEFT JOIN scheduled_tasks t ON t.task_name = 'plan' AND t.task_instance = CAST(s.id AS text)
            LEFT JOIN LATERAL (SELECT key FROM schedule_firing WHERE plan_name = s.plan_name
                               ORDER BY due_at DESC, key DESC LIMIT 1) f ON true""";

    private final JdbcClient jdbc;

    private final FiringRepository firings;

    public ScheduleQueries(JdbcClient jdbc, FiringRepository firings) {
        this.jdbc = jdbc;
        this.firings = firings;
    }

    /**
     * The schedule of a plan.
     *
     * @param plan by name
     * @param planVersion of the plan
     * @param service that the plan is about
     * @param trigger of the firings
     * @param next the next attempt; null when it is paused, or nothing is due by the clock
     * @param pause the pause that it is in; null when it is not paused
     * @param last the newest firing
     */
    public record Overview(String plan, int planVersion, String service, Trigger trigger, @Nullable Instant next,
            @Nullable Pause pause, @Nullable Firing last) {

        private Overview with(@Nullable Firing newest) {
            return new Overview(plan, planVersion, service, trigger, next, pause, newest);
        }
    }

    /**
     * The cause of a plan's firings.
     *
     * @param timing cron or interval; null when only events start the plan
     * @param zone of the timing
     * @param onDeployment whether a deployment of its service starts it
     * @param calendars that it needs, by name
     */
    public record Trigger(@Nullable String timing, String zone, boolean onDeployment, List<String> calendars) {}

    /** The time since when a schedule is paused, and why. */
    public record Pause(Instant at, @Nullable String reason) {}

    /** Schedules after a plan's name, by name. */
    public List<Overview> list(@Nullable String service, String after, int limit) {
        return overviews(jdbc
                .sql(SELECT + " WHERE s.plan_name > :after" + (service == null ? "" : " AND s.service = :service")
                        + " ORDER BY s.plan_name LIMIT :limit")
                .param("after", after)
                .param("service", service)
                .param("limit", limit));
    }

    /** Returns the schedule of a plan. */
    public Optional<Overview> find(String plan) {
        return overviews(jdbc.sql(SELECT + " WHERE s.plan_name = :plan").param("plan", plan)).stream().findFirst();
    }

    /** The next start of a plan by itself. */
    public record NextStart(String plan, Instant at) {}

    /** Returns the next start by the clock in each of the services that has one. */
    public Map<String, NextStart> next(Collection<String> services) {
        return jdbc.sql("""
                SELECT DISTINCT ON (s.service) s.service, s.plan_name, t.execution_time FROM plan_schedule s
                JOIN scheduled_tasks t ON t.task_name = 'plan' AND t.task_instance = CAST(s.id AS text)
                WHERE s.service = ANY(:services) AND s.paused_at IS NULL
                ORDER BY s.service, t.execution_time, s.plan_name""")
                .param("services", services.toArray(String[]::new))
                .query((row, number) -> Map.entry(row.getString("service"), new NextStart(row.getString("plan_name"),
                        SqlTimestamps.read(row, "execution_time"))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns the lateness of the oldest due firing that no controller works on; zero when none is due. */
    public Duration oldestLateness(Instant now) {
        return ScheduledTaskRepository.oldestLateness(jdbc, ScheduledTaskRepository.FIRINGS,
                List.of(ScheduledTaskRepository.BY_CLOCK, ScheduledTaskRepository.BY_DEPLOYMENT), now);
    }

    private List<Overview> overviews(JdbcClient.StatementSpec statement) {
        List<Stored> rows = statement.query(Stored::of).list();
        Map<String, Firing> last = firings.find(rows.stream().map(Stored::lastKey).filter(Objects::nonNull).toList());
        return rows.stream().map(row -> row.overview().with(row.lastKey() == null ? null : last.get(row.lastKey())))
                .toList();
    }

    /** @param lastKey of its newest firing */
    private record Stored(Overview overview, @Nullable String lastKey) {

        static Stored of(ResultSet row, int number) throws SQLException {
            return new Stored(new Overview(row.getString("plan_name"), row.getInt("plan_version"),
                    row.getString("service"),
                    new Trigger(row.getString("timing"), row.getString("zone"), row.getBoolean("on_deployment"),
                            List.of((String[]) row.getArray("calendars").getArray())),
                    SqlTimestamps.readIfAny(row, "execution_time"), pause(row), null), row.getString("last_key"));
        }

        private static @Nullable Pause pause(ResultSet row) throws SQLException {
            Instant at = SqlTimestamps.readIfAny(row, "paused_at");
            return at == null ? null : new Pause(at, row.getString("pause_reason"));
        }
    }
}
