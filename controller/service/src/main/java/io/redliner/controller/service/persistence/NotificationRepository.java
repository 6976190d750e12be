// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import io.redliner.controller.core.notification.ChannelKey;
import io.redliner.controller.core.notification.ChannelType;
import io.redliner.controller.core.notification.ClaimedNotification.Attempts;
import io.redliner.controller.core.notification.ClaimedNotification.Subscription;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.RetryPolicy;
import io.redliner.controller.core.replay.RunJsonMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Keeps messages, and schedules their deliveries. A message that waits has a task of db-scheduler, which is due when the message
 * is. An attempt begins by moving that time ahead: when a controller dies during an attempt, the message is due again by itself.
 */
public final class NotificationRepository {

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    private final ScheduledTaskRepository tasks;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    /** @param tasks with the table {@link ScheduledTaskRepository#DELIVERIES} */
    public NotificationRepository(JdbcClient jdbc, TransactionTemplate transaction, ScheduledTaskRepository tasks,
            RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.tasks = tasks;
        this.json = json;
        this.unreadable = unreadable;
    }

    /** Adds a message, unless the receiver has one about this event of the run. To be called within the decision's transaction. */
    public void add(NotificationPayload payload, int entry, ChannelKey channelKey) {
        String id = "msg_" + UUID.randomUUID();
        int added = jdbc.sql("""
                INSERT INTO notification (id, run_id, service, trigger, receiver, entry, kind, shown, endpoint, content,
                    state, attempts, created_at, accepted_at, due_at)
                VALUES (:id, :run, :service, :trigger, :receiver, :entry, :kind, :shown, :endpoint,
                    CAST(:content AS jsonb), 'WAITING', 0, :at, :at, :at)
                ON CONFLICT (run_id, trigger, receiver) DO NOTHING""")
                .param("id", id)
                .param("run", payload.run().id())
                .param("service", payload.run().service())
                .param("trigger", payload.trigger().name())
                .param("receiver", channelKey.key())
                .param("entry", entry)
                .param("kind", channelKey.kind().name())
                .param("shown", channelKey.shown())
                .param("endpoint", channelKey.endpoint())
                .param("content", json.write(payload))
                .param("at", SqlTimestamps.sql(payload.at()))
                .update();
        if (added > 0) {
            tasks.addOrMove(ScheduledTaskRepository.DELIVERY, id, channelKey.endpoint(), payload.at());
        }
    }

    /** Begins anew with a message, also with one that was delivered; false when there is none. */
    public boolean retry(String id, Instant now) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            Optional<String> endpoint = jdbc.sql("""
                    UPDATE notification SET state = 'WAITING', attempts = 0, accepted_at = :now, due_at = :now,
                        settled_at = NULL
                    WHERE id = :id RETURNING endpoint""")
                    .param("now", SqlTimestamps.sql(now))
                    .param("id", id)
                    .query(String.class)
                    .optional();
            endpoint.ifPresent(to -> tasks.addOrMove(ScheduledTaskRepository.DELIVERY, id, to, now));
            return endpoint.isPresent();
        }));
    }

    /**
     * Begins an attempt with the message of an endpoint that is due longest. Empty when none is due, or it cannot be read: one that
     * cannot be read is due again like one whose attempt failed to end.
     *
     * @param until when the message is due again if the attempt never ends
     */
    public Optional<ClaimedNotification> begin(String endpoint, Instant now, Instant until) {
        return jdbc.sql("""
                UPDATE notification SET attempts = attempts + 1, due_at = :until
                FROM run
                WHERE run.id = notification.run_id AND notification.id = (
                    SELECT id FROM notification WHERE endpoint = :endpoint AND state = 'WAITING' AND due_at <= :now
                    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING notification.id, run_id, kind, content, run.plan, entry, attempts, accepted_at, last_error""")
                .param("endpoint", endpoint)
                .param("now", SqlTimestamps.sql(now))
                .param("until", SqlTimestamps.sql(until))
                .query(this::message)
                .list()
                .stream()
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Reads a message; empty when this version does not know its kind. */
    private Optional<ClaimedNotification> message(ResultSet row, int number) throws SQLException {
        String name = row.getString("kind");
        Optional<ChannelType> kind = unreadable.read(UnreadableRows.Kind.NOTIFICATION, row.getString("id"),
                () -> ChannelType.valueOf(name));
        return kind.isEmpty() ? Optional.empty() : Optional.of(message(row, kind.get()));
    }

    private static ClaimedNotification message(ResultSet row, ChannelType type) throws SQLException {
        return new ClaimedNotification(row.getString("id"), row.getString("run_id"), type,
                row.getString("content"), new Subscription(row.getString("plan"), row.getInt("entry")),
                new Attempts(row.getInt("attempts"), SqlTimestamps.read(row, "accepted_at"),
                        row.getString("last_error")));
    }

    /**
     * Stores the result of an attempt, and when the message's task is due. A delivery counts also when another attempt has begun
     * since, or somebody has asked to begin anew. A failure counts only when its attempt is still the newest.
     */
    public void settle(ClaimedNotification notification, RetryPolicy.Next next, Instant now) {
        String id = notification.id();
        transaction.executeWithoutResult(status -> {
            switch (next) {
                case RetryPolicy.Next.Done ignored -> {
                    if (delivered(id, now)) {
                        tasks.remove(ScheduledTaskRepository.DELIVERY, id);
                    }
                }
                case RetryPolicy.Next.Again again -> {
                    if (failed(notification, "due_at = :at, last_error = :error", again.dueAt(), again.reason())) {
                        tasks.move(ScheduledTaskRepository.DELIVERY, id, again.dueAt());
                    }
                }
                case RetryPolicy.Next.Dead dead -> {
                    if (failed(notification, "state = 'DEAD', settled_at = :at, last_error = :error", now,
                            dead.reason())) {
                        tasks.remove(ScheduledTaskRepository.DELIVERY, id);
                    }
                }
            }
        });
    }

    private boolean delivered(String id, Instant now) {
        return jdbc.sql("""
                UPDATE notification SET state = 'DELIVERED', settled_at = :now, last_error = NULL
                WHERE id = :id AND state <> 'DELIVERED'""")
                .param("now", SqlTimestamps.sql(now))
                .param("id", id)
                .update() > 0;
    }

    private boolean failed(ClaimedNotification notification, String change, Instant at, String reason) {
        return jdbc.sql("UPDATE notification SET " + change
                + " WHERE id = :id AND attempts = :attempts AND accepted_at = :acceptedAt AND state = 'WAITING'")
                .param("at", SqlTimestamps.sql(at))
                .param("error", reason)
                .param("id", notification.id())
                .param("attempts", notification.attempts().count())
                .param("acceptedAt", SqlTimestamps.sql(notification.attempts().acceptedAt()))
                .update() > 0;
    }

    /**
     * Ends an execution of a message's task: the task is due when its message is, and is removed with a message that does not
     * wait. The message is locked meanwhile, so that a retry by hand is not lost.
     */
    public void follow(ExecutionComplete complete, ExecutionOperations<String> operations) {
        transaction.executeWithoutResult(status -> jdbc
                .sql("SELECT CASE WHEN state = 'WAITING' THEN due_at END AS due_at FROM notification WHERE id = :id FOR UPDATE")
                .param("id", complete.getExecution().taskInstance.getId())
                .query((row, number) -> Optional.ofNullable(SqlTimestamps.readIfAny(row, "due_at")))
                .optional()
                .flatMap(Function.identity())
                .ifPresentOrElse(due -> operations.reschedule(complete, due), operations::remove));
    }

    /** Brings the task of the message of an endpoint that is due longest back, when it was put off. */
    public void advance(String endpoint, Instant now) {
        jdbc.sql("""
                SELECT id FROM notification WHERE endpoint = :endpoint AND state = 'WAITING' AND due_at <= :now
                ORDER BY due_at, id LIMIT 1""")
                .param("endpoint", endpoint)
                .param("now", SqlTimestamps.sql(now))
                .query(String.class)
                .optional()
                .ifPresent(id -> tasks.move(ScheduledTaskRepository.DELIVERY, id, now));
    }

    /** Adds the tasks that are missing of messages that wait. Returns how many there were. */
    public int addMissingTasks() {
        return jdbc.sql("""
                INSERT INTO notification_task (task_name, task_instance, task_data, execution_time, picked, version)
                SELECT :task, id, convert_to(endpoint, 'UTF8'), due_at, false, 1 FROM notification
                WHERE state = 'WAITING' AND NOT EXISTS (
                    SELECT 1 FROM notification_task WHERE task_name = :task AND task_instance = notification.id)
                ON CONFLICT DO NOTHING""")
                .param("task", ScheduledTaskRepository.DELIVERY)
                .update();
    }

    /** Removes what was settled before; at most a thousand at a time. */
    public int removeSettled(Instant before) {
        return jdbc.sql("""
                DELETE FROM notification WHERE id IN (
                    SELECT id FROM notification WHERE state <> 'WAITING' AND settled_at < :before LIMIT 1000)""")
                .param("before", SqlTimestamps.sql(before))
                .update();
    }
}
