// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Keeps messages until they are delivered. An attempt begins by moving the time when its message is due ahead. When a
 * controller dies during an attempt, the message is therefore due again by itself, for any controller.
 */
public final class NotificationRepository {

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public NotificationRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /** Adds a message, unless the receiver has one about this event of the run. To be called within the decision's transaction. */
    public void add(NotificationPayload payload, int entry, ChannelKey channelKey) {
        jdbc.sql("""
                INSERT INTO notification (id, run_id, service, trigger, receiver, entry, kind, shown, lane, content,
                    state, attempts, created_at, accepted_at, due_at)
                VALUES (:id, :run, :service, :trigger, :receiver, :entry, :kind, :shown, :lane,
                    CAST(:content AS jsonb), 'WAITING', 0, :at, :at, :at)
                ON CONFLICT (run_id, trigger, receiver) DO NOTHING""")
                .param("id", "msg_" + UUID.randomUUID())
                .param("run", payload.runId())
                .param("service", payload.service())
                .param("trigger", payload.trigger().name())
                .param("receiver", channelKey.key())
                .param("entry", entry)
                .param("kind", channelKey.kind().name())
                .param("shown", channelKey.shown())
                .param("lane", channelKey.lane())
                .param("content", json.write(payload))
                .param("at", SqlTimestamps.sql(payload.at()))
                .update();
    }

    /**
     * Claims messages that are due, the longest waiting first and no two of one lane. Those that cannot be read are claimed and
     * left out.
     *
     * @param busy lanes that have an attempt under way
     * @param until when the claim is void
     */
    public List<ClaimedNotification> claim(Collection<String> busy, int limit, Instant now, Instant until) {
        return jdbc.sql("""
                WITH lanes AS (
                    SELECT lane, min(due_at) AS due FROM notification
                    WHERE state = 'WAITING' AND due_at <= :now AND lane <> ALL (:busy)
                    GROUP BY lane ORDER BY due LIMIT :most
                ), picked AS (
                    SELECT next.id FROM lanes CROSS JOIN LATERAL (
                        SELECT id FROM notification
                        WHERE notification.lane = lanes.lane AND state = 'WAITING' AND due_at <= :now
                        ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED) next
                )
                UPDATE notification SET attempts = attempts + 1, due_at = :until, claim = :claim
                FROM picked, run
                WHERE notification.id = picked.id AND run.id = notification.run_id
                RETURNING notification.id, run_id, kind, lane, content, run.plan, entry, attempts, accepted_at, claim,
                    last_error""")
                .param("now", SqlTimestamps.sql(now))
                .param("until", SqlTimestamps.sql(until))
                .param("busy", busy.toArray(String[]::new))
                .param("most", limit)
                .param("claim", UUID.randomUUID().toString())
                .query(this::message)
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** Reads a message; empty when this version does not know its kind: it is due again when its claim ends. */
    private Optional<ClaimedNotification> message(ResultSet row, int number) throws SQLException {
        String name = row.getString("kind");
        Optional<ChannelType> kind = unreadable.read(UnreadableRows.Kind.NOTIFICATION, row.getString("id"),
                () -> ChannelType.valueOf(name));
        return kind.isEmpty() ? Optional.empty() : Optional.of(message(row, kind.get()));
    }

    private static ClaimedNotification message(ResultSet row, ChannelType type) throws SQLException {
        return new ClaimedNotification(row.getString("id"), row.getString("run_id"), type, row.getString("lane"),
                row.getString("content"), new Subscription(row.getString("plan"), row.getInt("entry")),
                new Attempts(row.getInt("attempts"), SqlTimestamps.read(row, "accepted_at"),
                        row.getString("last_error")),
                row.getString("claim"));
    }

    /**
     * Stores the result of an attempt. A delivery counts also when another attempt has claimed the message since. A failure
     * counts only when its attempt still has the claim.
     */
    public void settle(ClaimedNotification notification, RetryPolicy.Next next, Instant now) {
        switch (next) {
            case RetryPolicy.Next.Done ignored -> jdbc.sql("""
                    UPDATE notification SET state = 'DELIVERED', claim = NULL, settled_at = :now, last_error = NULL
                    WHERE id = :id AND state <> 'DELIVERED'""")
                    .param("now", SqlTimestamps.sql(now))
                    .param("id", notification.id())
                    .update();
            case RetryPolicy.Next.Again again -> jdbc.sql("""
                    UPDATE notification SET due_at = :due, claim = NULL, last_error = :error
                    WHERE id = :id AND claim = :claim AND state = 'WAITING'""")
                    .param("due", SqlTimestamps.sql(again.dueAt()))
                    .param("error", again.reason())
                    .param("id", notification.id())
                    .param("claim", notification.claim())
                    .update();
            case RetryPolicy.Next.Dead dead -> jdbc.sql("""
                    UPDATE notification SET state = 'DEAD', claim = NULL, settled_at = :now, last_error = :error
                    WHERE id = :id AND claim = :claim AND state = 'WAITING'""")
                    .param("now", SqlTimestamps.sql(now))
                    .param("error", dead.reason())
                    .param("id", notification.id())
                    .param("claim", notification.claim())
                    .update();
        }
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
