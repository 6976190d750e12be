// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import com.github.kagkarlsson.scheduler.SchedulerState;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.shaded.jdbc.SQLRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.retry.Backoff;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.RetryPolicy;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.service.persistence.NotificationRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

/**
 * Delivers what is due to an endpoint, the longest due first: the task that is scheduled with each message. Its data is the
 * endpoint, which has one attempt at a time, so that a receiver that hangs does not hold up others.
 */
final class NotificationDeliveryHandler implements ExecutionHandler<String> {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationDeliveryHandler.class);

    /** Maximum factor by which the pauses grow while the database does not answer. */
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
            return (complete, operations) -> {
                withRetries(() -> operations.reschedule(complete, turn));
                if (!busy.containsKey(endpoint)) {
                    withRetries(() -> notifications.advance(endpoint, clock.instant()));
                }
            };
        }
        try {
            deliver(endpoint, context.getSchedulerState());
        } finally {
            busy.remove(endpoint);
        }
        return (complete, operations) -> {
            withRetries(() -> notifications.follow(complete, operations));
            withRetries(() -> notifications.advance(endpoint, clock.instant()));
        };
    }

    /** Makes attempts for about the time that a single one may take: then other endpoints get the thread. */
    private void deliver(String endpoint, SchedulerState scheduler) {
        Instant end = clock.instant().plus(properties.timeout());
        boolean due = true;
        while (due) {
            Optional<ClaimedNotification> next = withRetries(() -> begin(endpoint));
            next.ifPresent(this::attempt);
            due = next.isPresent() && clock.instant().isBefore(end) && !scheduler.isShuttingDown();
        }
    }

    private Optional<ClaimedNotification> begin(String endpoint) {
        Instant now = clock.instant();
        return notifications.begin(endpoint, now, now.plus(properties.claim()));
    }

    private void attempt(ClaimedNotification notification) {
        ClaimedNotification.Attempts attempts = notification.attempts();
        boolean over = retryPolicy.tooOld(attempts.acceptedAt(), clock.instant())
                || attempts.count() > properties.mostAttempts();
        DeliveryResult result = over ? new DeliveryResult.Refused(attempts.givenUp()) : send(notification);
        RetryPolicy.Next next = retryPolicy.after(result, attempts.count(), attempts.acceptedAt(), clock.instant(),
                chance.getAsDouble());
        withRetries(() -> notifications.settle(notification, next, clock.instant()));
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

    private void withRetries(Runnable work) {
        withRetries(() -> {
            work.run();
            return true;
        });
    }

    /**
     * Does work in the database. While the database is away it tries again: a message that was delivered is not to be sent once more,
     * and a task that stays picked is not due again before it counts as dead.
     */
    private <T> T withRetries(Supplier<T> work) {
        Backoff backoff = new Backoff(properties.poll(), properties.poll().multipliedBy(MAX_POLLS), clock);
        while (true) {
            try {
                return work.get();
            } catch (NonTransientDataAccessResourceException | TransientDataAccessException
                    | RecoverableDataAccessException | UncategorizedDataAccessException
                    | CannotCreateTransactionException | TransactionSystemException | SQLRuntimeException away) {
                if (Thread.currentThread().isInterrupted()) {
                    throw away;
                }
                LOG.debug("a delivery waits for the database", away);
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
