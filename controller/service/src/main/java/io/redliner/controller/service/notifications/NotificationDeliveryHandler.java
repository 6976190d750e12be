// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.retry.Backoff;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.RetryPolicy;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.service.persistence.NotificationRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;

/**
 * Makes one attempt to deliver a message: the task that is scheduled with each message. Its data is the endpoint, which has one
 * attempt at a time, so that a receiver that hangs does not hold up others.
 */
final class NotificationDeliveryHandler implements ExecutionHandler<String> {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationDeliveryHandler.class);

    /** Maximum factor by which the pauses grow while a result cannot be stored. */
    private static final int MAX_POLLS = 10;

    private final NotificationRepository notifications;

    private final NotificationSender sender;

    private final DeliveryProperties properties;

    private final RetryPolicy retryPolicy;

    private final MeterRegistry meters;

    private final InstantSource clock;

    private final DoubleSupplier chance;

    /** Endpoints that have an attempt under way, with the number of tasks that were put off since it began. */
    private final Map<String, Integer> busy = new ConcurrentHashMap<>();

    /** @param chance draws between 0 and 1 for the pauses */
    NotificationDeliveryHandler(NotificationRepository notifications, NotificationSender sender,
            DeliveryProperties properties, MeterRegistry meters, InstantSource clock, DoubleSupplier chance) {
        this.notifications = notifications;
        this.sender = sender;
        this.properties = properties;
        this.retryPolicy = properties.retryPolicy();
        this.meters = meters;
        this.clock = clock;
        this.chance = chance;
    }

    @Override
    public CompletionHandler<String> execute(TaskInstance<String> instance, ExecutionContext context) {
        String endpoint = instance.getData();
        int ahead = busy.merge(endpoint, 0, (before, first) -> before + 1);
        if (ahead > 0) {
            // They come back one after another: however many wait for a receiver that hangs, they cost one task per interval.
            Instant turn = clock.instant().plus(properties.poll().multipliedBy(ahead));
            return (complete, operations) -> operations.reschedule(complete, turn);
        }
        try {
            Instant now = clock.instant();
            notifications.begin(instance.getId(), now, now.plus(properties.claim())).ifPresent(this::attempt);
        } finally {
            busy.remove(endpoint);
        }
        return notifications::follow;
    }

    private void attempt(ClaimedNotification notification) {
        ClaimedNotification.Attempts attempts = notification.attempts();
        boolean over = retryPolicy.tooOld(attempts.acceptedAt(), clock.instant())
                || attempts.count() > properties.mostAttempts();
        DeliveryResult result = over ? new DeliveryResult.Refused(attempts.givenUp()) : send(notification);
        RetryPolicy.Next next = retryPolicy.after(result, attempts.count(), attempts.acceptedAt(), clock.instant(),
                chance.getAsDouble());
        store(notification, next);
        count(notification, next);
    }

    private DeliveryResult send(ClaimedNotification notification) {
        try {
            return sender.send(notification);
        } catch (RuntimeException | Error mistake) {
            LOG.error("message {} could not be sent: {}", notification.id(), mistake.getClass().getSimpleName());
            return DeliveryResult.Failed.because("could not be sent: " + mistake.getClass().getSimpleName());
        }
    }

    /** Stores a result. While the database is away it tries again: a message that was delivered is not to be sent once more. */
    private void store(ClaimedNotification notification, RetryPolicy.Next next) {
        Backoff backoff = new Backoff(properties.poll(), properties.poll().multipliedBy(MAX_POLLS), clock);
        boolean stored = false;
        while (!stored) {
            try {
                notifications.settle(notification, next, clock.instant());
                stored = true;
            } catch (NonTransientDataAccessResourceException | TransientDataAccessException
                    | RecoverableDataAccessException | UncategorizedDataAccessException away) {
                if (Thread.currentThread().isInterrupted()) {
                    throw away;
                }
                LOG.debug("the result of message {} waits for the database", notification.id(), away);
                LockSupport.parkNanos(backoff.failed().toNanos());
            }
        }
    }

    private void count(ClaimedNotification notification, RetryPolicy.Next next) {
        String result = switch (next) {
            case RetryPolicy.Next.Done ignored -> "delivered";
            case RetryPolicy.Next.Again ignored -> "failed";
            case RetryPolicy.Next.Dead ignored -> "dead";
        };
        meters.counter("redliner.notifications", "kind", notification.kind().wireName(), "result", result).increment();
        switch (next) {
            case RetryPolicy.Next.Done ignored -> LOG.debug("message {} was delivered", notification.id());
            case RetryPolicy.Next.Again again ->
                LOG.info("message {} of run {} is tried again at {}: {}", notification.id(),
                        notification.runId(), again.dueAt(), again.reason());
            case RetryPolicy.Next.Dead dead ->
                LOG.warn("message {} of run {} will not be delivered: {}", notification.id(),
                        notification.runId(), dead.reason());
        }
    }
}
