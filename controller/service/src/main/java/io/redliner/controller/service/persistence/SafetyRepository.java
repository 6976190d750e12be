// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.core.safety.Freeze;
import io.redliner.controller.core.safety.KillSwitchEffect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The kill switch, freezes, and what services may still be harmed. */
public final class SafetyRepository {

    private static final String SWITCH = "SELECT engaged, actor, reason, at FROM kill_switch";

    private static final String FREEZE = "SELECT id, service, starts_at, ends_at, reason, actor, created_at FROM freeze_window";

    private final JdbcClient jdbc;

    public SafetyRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the stored switch. */
    public KillSwitch killSwitch() {
        return jdbc.sql(SWITCH).query(SafetyRepository::readSwitch).single();
    }

    /**
     * Turns the switch, at a later time than before whatever the clocks say; waits for starts that are under way. A switch that is
     * engaged already keeps its time, from which its effect is counted.
     */
    public KillSwitch setKillSwitch(boolean engaged, String actor, String reason, Instant at) {
        return jdbc.sql("""
                UPDATE kill_switch SET engaged = :engaged, actor = :actor, reason = :reason,
                at = CASE WHEN engaged AND :engaged THEN at ELSE GREATEST(:at, at + interval '1 millisecond') END
                RETURNING engaged, actor, reason, at""")
                .param("engaged", engaged)
                .param("actor", actor)
                .param("reason", reason)
                .param("at", SqlTimestamps.sql(at))
                .query(SafetyRepository::readSwitch).single();
    }

    /** Engages the switch for no stated reason: one that is engaged stays as it is, with who engaged it, when and why. */
    public KillSwitch engageIfReleased(String actor, String reason, Instant at) {
        return jdbc.sql("""
                UPDATE kill_switch SET engaged = true, actor = CASE WHEN engaged THEN actor ELSE :actor END,
                reason = CASE WHEN engaged THEN reason ELSE :reason END,
                at = CASE WHEN engaged THEN at ELSE GREATEST(:at, at + interval '1 millisecond') END
                RETURNING engaged, actor, reason, at""")
                .param("actor", actor)
                .param("reason", reason)
                .param("at", SqlTimestamps.sql(at))
                .query(SafetyRepository::readSwitch).single();
    }

    /**
     * Returns the runs that were live when the kill switch was engaged, or ended since; what was never moved needs no measurement.
     * A run that ended unproven in the day before counts, too, and at any time before when the traffic was measured and was not
     * natural; a later run of the same instance that is measured ends that.
     */
    public KillSwitchEffect effectSince(Instant engagedAt) {
        return jdbc.sql("""
                SELECT count(*) FILTER (WHERE phase <> 'Finished') AS live,
                count(*) FILTER (WHERE phase = 'Finished') AS ended,
                count(*) FILTER (WHERE phase = 'Finished'
                    AND restore_proof NOT IN ('MEASURED', 'MEASURED_AFTER_EXPIRY', 'NOT_NEEDED')) AS unmeasured,
                max(finished_at) AS last_ended_at
                FROM run WHERE phase <> 'Finished' OR finished_at >= :engagedAt OR\s""" + RunRowMapper.UNPROVEN)
                .param("engagedAt", SqlTimestamps.sql(engagedAt))
                .param("until", SqlTimestamps.sql(engagedAt))
                .query((row, number) -> new KillSwitchEffect(row.getInt("live"), row.getInt("ended"),
                        row.getInt("unmeasured"), SqlTimestamps.readIfAny(row, "last_ended_at")))
                .single();
    }

    /** Adds a freeze. */
    public void add(Freeze freeze) {
        jdbc.sql("""
                INSERT INTO freeze_window (id, service, starts_at, ends_at, reason, actor, created_at)
                VALUES (:id, :service, :from, :to, :reason, :actor, :createdAt)""")
                .param("id", freeze.id())
                .param("service", freeze.service())
                .param("from", SqlTimestamps.sql(freeze.from()))
                .param("to", SqlTimestamps.sql(freeze.to()))
                .param("reason", freeze.reason())
                .param("actor", freeze.actor())
                .param("createdAt", SqlTimestamps.sql(freeze.createdAt()))
                .update();
    }

    /** Removes a freeze; false when there is none of this id. */
    public boolean remove(String id) {
        return jdbc.sql("DELETE FROM freeze_window WHERE id = :id").param("id", id).update() > 0;
    }

    /** Returns the freeze with this id. */
    public Optional<Freeze> freeze(String id) {
        return jdbc.sql(FREEZE + " WHERE id = :id").param("id", id).query(SafetyRepository::readFreeze).optional();
    }

    /** Freezes that are not over, the next first. */
    public List<Freeze> freezes(Instant now) {
        return jdbc.sql(FREEZE + " WHERE ends_at > :now ORDER BY starts_at, id")
                .param("now", SqlTimestamps.sql(now))
                .query(SafetyRepository::readFreeze)
                .list();
    }

    /** Freezes that touch the time from one instant to another. */
    public List<Freeze> freezes(Instant begin, Instant end) {
        return jdbc.sql(FREEZE + " WHERE ends_at > :begin AND starts_at < :end ORDER BY starts_at, id")
                .param("begin", SqlTimestamps.sql(begin))
                .param("end", SqlTimestamps.sql(end))
                .query(SafetyRepository::readFreeze)
                .list();
    }

    /** Returns the number of requests of a service that runs may harm in a month; empty when there is no budget. */
    public Optional<Double> harmBudget(String service) {
        return jdbc.sql("SELECT requests_per_month FROM service_harm_budget WHERE service = :service")
                .param("service", service)
                .query(Double.class)
                .optional();
    }

    /** Sets the number of requests of a service that runs may harm in a month. */
    public void setHarmBudget(String service, double requestsPerMonth) {
        jdbc.sql("""
                INSERT INTO service_harm_budget (service, requests_per_month) VALUES (:service, :requests)
                ON CONFLICT (service) DO UPDATE SET requests_per_month = EXCLUDED.requests_per_month""")
                .param("service", service)
                .param("requests", requestsPerMonth)
                .update();
    }

    /** Lets a service be harmed as its runs' own budgets allow; false when it was so before. */
    public boolean removeHarmBudget(String service) {
        return jdbc.sql("DELETE FROM service_harm_budget WHERE service = :service").param("service", service)
                .update() > 0;
    }

    /** Requests that runs of the service harmed by their tests since the beginning of the month, in UTC. */
    public double harmDone(String service, Instant now) {
        Instant monthBegan = now.atZone(ZoneOffset.UTC).toLocalDate().withDayOfMonth(1).atStartOfDay(ZoneOffset.UTC)
                .toInstant();
        return jdbc.sql("""
                SELECT COALESCE(sum(harm), 0) FROM run
                WHERE service = :service AND finished_at >= :begin AND harm IS NOT NULL""")
                .param("service", service)
                .param("begin", SqlTimestamps.sql(monthBegan))
                .query(Double.class)
                .single();
    }

    /** Returns the safety status for a run that is about to begin. All other starts wait for the end of the transaction. */
    StartPolicy.SafetyStatus standing(RunOrder order) {
        RunFacts facts = order.facts();
        Instant begin = facts.submittedAt();
        KillSwitch killSwitch = jdbc.sql(SWITCH + " FOR UPDATE").query(SafetyRepository::readSwitch).single();
        return new StartPolicy.SafetyStatus(killSwitch, freezes(begin, begin.plus(facts.bounds().maxDuration())),
                live("true", ""), live("cluster = :cluster", order.cluster()), harmBudget(facts.service()).orElse(null),
                harmDone(facts.service(), begin));
    }

    private int live(String condition, String cluster) {
        JdbcClient.StatementSpec statement = jdbc
                .sql("SELECT count(*) FROM run WHERE phase <> 'Finished' AND " + condition);
        return (cluster.isEmpty() ? statement : statement.param("cluster", cluster)).query(Integer.class).single();
    }

    private static KillSwitch readSwitch(ResultSet row, int number) throws SQLException {
        return new KillSwitch(row.getBoolean("engaged"), row.getString("actor"), row.getString("reason"),
                SqlTimestamps.read(row, "at"));
    }

    private static Freeze readFreeze(ResultSet row, int number) throws SQLException {
        return new Freeze(row.getString("id"), row.getString("service"), SqlTimestamps.read(row, "starts_at"),
                SqlTimestamps.read(row, "ends_at"), row.getString("reason"), row.getString("actor"),
                SqlTimestamps.read(row, "created_at"));
    }
}
