// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.schedule.DueFiring;
import io.redliner.controller.core.schedule.StoredSchedule;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores the schedules of plans. */
public final class ScheduleRepository {

    private static final String SELECT = """
            SELECT id, s.plan_name, s.plan_version, content, anchor_at, paused_at, pause_reason
            FROM plan_schedule s JOIN plan_version v ON v.plan_name = s.plan_name AND v.version = s.plan_version""";

    private final JdbcClient jdbc;

    public ScheduleRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public Optional<StoredSchedule> find(long id) {
        return jdbc.sql(SELECT + " WHERE id = :id").param("id", id).query(ScheduleRepository::row).optional();
    }

    /** Returns the schedules with these ids that exist. */
    public List<StoredSchedule> find(Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : jdbc.sql(SELECT + " WHERE id = ANY(:ids)")
                        .param("ids", ids.toArray(Long[]::new))
                        .query(ScheduleRepository::row)
                        .list();
    }

    public Optional<StoredSchedule> ofPlan(String plan) {
        return jdbc.sql(SELECT + " WHERE s.plan_name = :plan")
                .param("plan", plan)
                .query(ScheduleRepository::row)
                .optional();
    }

    /** Locks the schedule of a plan until the end of the transaction. */
    public Optional<StoredSchedule> lock(String plan) {
        return jdbc.sql(SELECT + " WHERE s.plan_name = :plan FOR UPDATE OF s")
                .param("plan", plan)
                .query(ScheduleRepository::row)
                .optional();
    }

    public List<StoredSchedule> usingCalendar(String calendar) {
        return jdbc.sql(SELECT + " WHERE calendars @> ARRAY[:calendar]::text[] ORDER BY s.plan_name FOR UPDATE OF s")
                .param("calendar", calendar)
                .query(ScheduleRepository::row)
                .list();
    }

    /** Returns the schedules that start by the clock and have no scheduled task. */
    public List<StoredSchedule> withoutTask() {
        return jdbc.sql(SELECT + """
                 WHERE paused_at IS NULL AND timing IS NOT NULL AND NOT EXISTS (SELECT FROM scheduled_tasks
                    WHERE task_name = 'plan' AND task_instance = CAST(id AS text))
                ORDER BY s.plan_name""").query(ScheduleRepository::row).list();
    }

    public List<StoredSchedule> onDeploymentOf(String service) {
        return jdbc.sql(SELECT + " WHERE service = :service AND on_deployment ORDER BY s.plan_name")
                .param("service", service)
                .query(ScheduleRepository::row)
                .list();
    }

    /** Returns the next scheduled firing of each plan, before an instant and in order. */
    public List<DueFiring> next(Instant to, @Nullable String service, int limit) {
        JdbcClient.StatementSpec statement = jdbc
                .sql("""
                        SELECT s.id, s.plan_name, s.service, t.execution_time
                        FROM scheduled_tasks t JOIN plan_schedule s ON CAST(s.id AS text) = t.task_instance
                        WHERE t.task_name = 'plan' AND t.execution_time < :to AND s.paused_at IS NULL""" + " "
                        + (service == null ? "" : "AND s.service = :service ")
                        + "ORDER BY t.execution_time, s.plan_name LIMIT :limit")
                .param("to", SqlTimestamps.sql(to))
                .param("limit", limit);
        return (service == null ? statement : statement.param("service", service))
                .query((row, number) -> new DueFiring(row.getLong("id"), row.getString("plan_name"),
                        row.getString("service"), SqlTimestamps.read(row, "execution_time")))
                .list();
    }

    /** The parts of a schedule that its next version inherits: a pause, and the anchor when the timing is the same. */
    public record PreviousSchedule(long id, @Nullable String timing, Instant anchor, @Nullable Instant pausedAt,
            @Nullable String pauseReason) {}

    public Optional<PreviousSchedule> remove(String plan) {
        return jdbc.sql("""
                DELETE FROM plan_schedule WHERE plan_name = :plan
                RETURNING id, timing, anchor_at, paused_at, pause_reason""")
                .param("plan", plan)
                .query((row, number) -> new PreviousSchedule(row.getLong("id"), row.getString("timing"),
                        SqlTimestamps.read(row, "anchor_at"), SqlTimestamps.readIfAny(row, "paused_at"),
                        row.getString("pause_reason")))
                .optional();
    }

    public StoredSchedule add(Plan plan, int version, Schedule schedule, Optional<PreviousSchedule> before,
            Instant now) {
        String timing = schedule.timing() == null ? null : schedule.timing().text();
        Instant anchor = before.filter(previous -> Objects.equals(previous.timing(), timing))
                .map(PreviousSchedule::anchor)
                .orElse(now);
        long id = jdbc
                .sql("""
                        INSERT INTO plan_schedule (plan_name, plan_version, service, on_deployment, timing, anchor_at, calendars,
                                                   paused_at, pause_reason)
                        VALUES (:plan, :version, :service, :onDeployment, :timing, :anchor, CAST(:calendars AS text[]),
                                CAST(:pausedAt AS timestamptz), :reason)
                        RETURNING id""")
                .param("plan", plan.name())
                .param("version", version)
                .param("service", plan.service())
                .param("onDeployment", schedule.onDeployment())
                .param("timing", timing)
                .param("anchor", SqlTimestamps.sql(anchor))
                .param("calendars", schedule.calendars().toArray(String[]::new))
                .param("pausedAt", before.map(PreviousSchedule::pausedAt).map(SqlTimestamps::sql).orElse(null))
                .param("reason", before.map(PreviousSchedule::pauseReason).orElse(null))
                .query(Long.class)
                .single();
        return new StoredSchedule(id, plan.name(), version, "", anchor,
                before.map(PreviousSchedule::pausedAt).orElse(null),
                before.map(PreviousSchedule::pauseReason).orElse(null));
    }

    public void pause(long id, @Nullable Instant at, @Nullable String reason) {
        jdbc.sql("""
                UPDATE plan_schedule SET paused_at = CAST(:at AS timestamptz), pause_reason = :reason
                WHERE id = :id""")
                .param("at", at == null ? null : SqlTimestamps.sql(at))
                .param("reason", reason)
                .param("id", id)
                .update();
    }

    private static StoredSchedule row(ResultSet row, int number) throws SQLException {
        return new StoredSchedule(row.getLong("id"), row.getString("plan_name"), row.getInt("plan_version"),
                row.getString("content"), SqlTimestamps.read(row, "anchor_at"),
                SqlTimestamps.readIfAny(row, "paused_at"), row.getString("pause_reason"));
    }
}
