// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.retry.Backoff;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.RetryPolicy;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Delivers messages. One thread claims the messages that are due and stores the results. Other threads make the attempts, one
 * per lane, so that a receiver that hangs does not hold up others. While the database is away nothing is claimed, and results
 * are stored when it is back.
 */
final class NotificationWorker {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationWorker.class);

    private static final Duration HOUSEKEEPING = Duration.ofSeconds(10);

    /** Maximum factor by which the worker slows its polling down while the database does not answer. */
    private static final int MAX_POLLS = 10;

    private static final int MAX_UNREACHED = 10;

    private final NotificationRepository notifications;

    private final NotificationQueries queries;

    private final NotificationSender sender;

    private final NotificationProperties properties;

    private final RetryPolicy retryPolicy;

    private final MeterRegistry meters;

    private final InstantSource clock;

    private final DoubleSupplier chance;

    private final Thread worker = Thread.ofPlatform().name("controller-notifier").daemon().unstarted(this::work);

    private final ExecutorService attempts = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("controller-notify-", 0).factory());

    private final Queue<Made> made = new ConcurrentLinkedQueue<>();

    private final Semaphore wake = new Semaphore(0);

    /** Only the worker thread uses this and the next three fields. */
    private final Backoff backoff;

    private final Set<String> busy = new HashSet<>();

    private final Deque<Made> unwritten = new ArrayDeque<>();

    private Instant housekeeping = Instant.MIN;

    private volatile boolean closed;

    private volatile boolean working = true;

    private volatile @Nullable String failure;

    private volatile List<NotificationQueries.Unreached> unreached = List.of();

    private volatile NotificationQueries.Counts counts = new NotificationQueries.Counts(0, 0);

    /** @param chance draws between 0 and 1 for the pauses */
    NotificationWorker(NotificationRepository notifications, NotificationQueries queries, NotificationSender sender,
            NotificationProperties properties, MeterRegistry meters, InstantSource clock, DoubleSupplier chance) {
        this.notifications = notifications;
        this.queries = queries;
        this.sender = sender;
        this.properties = properties;
        this.retryPolicy = properties.retryPolicy();
        this.meters = meters;
        this.clock = clock;
        this.chance = chance;
        this.backoff = new Backoff(properties.poll(), properties.poll().multipliedBy(MAX_POLLS), clock);
        meters.gauge("redliner.notifications.waiting", this, notifier -> notifier.counts.waiting());
        meters.gauge("redliner.notifications.dead", this, notifier -> notifier.counts.dead());
    }

    /** An attempt that was made. */
    private record Made(ClaimedNotification notification, DeliveryResult result) {}

    void start() {
        worker.start();
    }

    /** Returns true while the worker's thread is alive. */
    boolean alive() {
        return worker.isAlive();
    }

    /** Returns true when the database could be reached at the last attempt. */
    boolean working() {
        return working;
    }

    /** Returns the error that ended the worker's thread; null when there was none. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Receivers that did not take a message, as of a few seconds ago. */
    List<NotificationQueries.Unreached> unreached() {
        return unreached;
    }

    /** Returns the numbers of messages that wait and that are dead, as of a few seconds ago. */
    NotificationQueries.Counts counts() {
        return counts;
    }

    /** Claims no more messages, and waits for the attempts under way. The message of a longer attempt is due again by itself. */
    void stop(Duration timeout) {
        closed = true;
        wake.release();
        try {
            boolean ended = worker.join(timeout);
            LOG.debug("the notifier has ended: {}", ended);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        attempts.shutdownNow();
    }

    private void work() {
        try {
            while (!closed || (working && !busy.isEmpty())) {
                pause(runOnce() ? properties.poll() : backoff.failed());
            }
        } catch (Throwable fatal) {
            failure = fatal.toString();
            LOG.error("the notifier is dead: no messages are sent", fatal);
        }
    }

    /** Returns whether the database could be reached. */
    private boolean runOnce() {
        try {
            writeDown();
            if (!closed) {
                claim();
                keepHouse();
            }
            backoff.succeeded();
            working = true;
        } catch (RuntimeException failure) {
            if (working) {
                LOG.warn("messages wait until the database is back: {}",
                        NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
            }
            working = false;
        }
        return working;
    }

    private void writeDown() {
        for (Made next = made.poll(); next != null; next = made.poll()) {
            unwritten.add(next);
        }
        for (Made first = unwritten.peek(); first != null; first = unwritten.peek()) {
            Instant now = clock.instant();
            ClaimedNotification notification = first.notification();
            RetryPolicy.Next next = retryPolicy.after(first.result(), notification.attempts().count(),
                    notification.attempts().acceptedAt(), now, chance.getAsDouble());
            notifications.settle(notification, next, now);
            unwritten.remove();
            busy.remove(notification.lane());
            count(notification, next);
        }
    }

    private void claim() {
        int free = properties.concurrency() - busy.size();
        if (free <= 0) {
            return;
        }
        Instant now = clock.instant();
        for (ClaimedNotification notification : notifications.claim(busy, free, now, now.plus(properties.claim()))) {
            busy.add(notification.lane());
            if (retryPolicy.tooOld(notification.attempts().acceptedAt(), now)
                    || notification.attempts().count() > properties.mostAttempts()) {
                finished(notification, new DeliveryResult.Refused(notification.attempts().givenUp()));
            } else {
                attempts.execute(() -> finished(notification, carry(notification)));
            }
        }
    }

    private DeliveryResult carry(ClaimedNotification notification) {
        try {
            return sender.send(notification);
        } catch (Throwable mistake) {
            LOG.error("message {} could not be sent: {}", notification.id(), mistake.getClass().getSimpleName());
            return DeliveryResult.Failed.because("could not be sent: " + mistake.getClass().getSimpleName());
        }
    }

    private void finished(ClaimedNotification notification, DeliveryResult result) {
        made.add(new Made(notification, result));
        wake.release();
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

    private void keepHouse() {
        Instant now = clock.instant();
        if (now.isBefore(housekeeping)) {
            return;
        }
        housekeeping = now.plus(HOUSEKEEPING);
        counts = queries.counts();
        unreached = queries.unreached(MAX_UNREACHED);
        int removed = notifications.removeSettled(now.minus(properties.keep()));
        LOG.debug("{} messages were kept long enough", removed);
    }

    private void pause(Duration length) {
        try {
            boolean woken = wake.tryAcquire(length.toMillis(), TimeUnit.MILLISECONDS);
            wake.drainPermits();
            LOG.trace("woken: {}", woken);
        } catch (InterruptedException interrupted) {
            LOG.debug("the notifier is being stopped", interrupted);
        }
    }
}
