// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.eventloop;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.discovery.DiscoveryManager.RoutedServicesListener;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.LeaseReconciler;
import io.redliner.redirector.routing.RoutedServices;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that calls the {@link LeaseReconciler}. All events are queued here, and timers run here. Events that arrive
 * during a turn are handled in the next one together, so the answers of a thousand proxies cost one evaluation, not a thousand.
 */
public final class RedirectorEventLoop
        implements
            ProxyEventHandler,
            LeaseListener,
            RoutedServicesListener,
            AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(RedirectorEventLoop.class);

    private static final int MISSED_SIGNS_OF_LIFE = 5;

    private static final int MAX_EVENTS_PER_TURN = 10_000;

    /**
     * Senders whose leases may wait. Beyond that the consumer of the topic waits, so that a flood of records does not fill the
     * memory.
     */
    static final int MAX_WAITING = 1_000;

    private static final long RETRY_NANOS = 1_000_000;

    /** The run and epoch of a lease. Newer leases of the same sender supersede older ones. */
    private record Sender(String service, String runId, long epoch) {}

    private record Received(Lease lease, Instant at) {

        /** Returns the newer one. A release is the last lease of its epoch, whatever its sequence. */
        Received newer(Received other) {
            if (lease.released() != other.lease().released()) {
                return lease.released() ? this : other;
            }
            return Long.compareUnsigned(other.lease().sequence(), lease.sequence()) > 0 ? other : this;
        }
    }

    private final LeaseReconciler reconciler;

    private final EventLoopProperties properties;

    private final InstantSource clock;

    private final ScheduledThreadPoolExecutor thread;

    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

    /** The newest lease of each sender that is not handled yet. */
    private final Map<Sender, Received> waiting = new ConcurrentHashMap<>();

    private final AtomicBoolean turnDue = new AtomicBoolean();

    private @Nullable ScheduledFuture<?> wake;

    private volatile boolean started;

    private volatile Instant lastTurn;

    private volatile @Nullable Throwable failure;

    RedirectorEventLoop(LeaseReconciler reconciler, EventLoopProperties properties, InstantSource clock) {
        this.reconciler = reconciler;
        this.properties = properties;
        this.clock = clock;
        this.lastTurn = clock.instant();
        this.thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("redirector-loop").factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Starts the timers. */
    // A turn catches everything, so its future has nothing to report.
    @SuppressWarnings("FutureReturnValueIgnored")
    void begin() {
        long interval = properties.statusInterval().toMillis();
        thread.scheduleAtFixedRate(nextTask(reconciler::reportAll), interval, interval, TimeUnit.MILLISECONDS);
        thread.schedule(nextTask(this::startUninformed), properties.catchUpDeadline().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void startUninformed() {
        if (!reconciler.started()) {
            LOGGER.warn("the leases of former times could not be read within {} ms, serving natural weights",
                    properties.catchUpDeadline().toMillis());
            reconciler.startUninformed();
        }
    }

    @Override
    public void received(Lease lease, Instant receivedAt) {
        Sender sender = new Sender(lease.service(), lease.runId(), lease.epoch());
        Received next = new Received(lease, receivedAt);
        while (waiting.size() >= MAX_WAITING && !waiting.containsKey(sender) && !thread.isShutdown()
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(RETRY_NANOS);
        }
        waiting.compute(sender, (same, before) -> {
            if (before == null) {
                post(() -> receive(sender));
                return next;
            }
            return before.newer(next);
        });
    }

    /** Number of senders with a lease that is not handled yet. */
    int waiting() {
        return waiting.size();
    }

    private void receive(Sender sender) {
        Received newest = waiting.remove(sender);
        if (newest != null) {
            reconciler.receive(newest.lease(), newest.at());
        }
    }

    @Override
    public void killSwitchChanged(KillSwitch killSwitch, Instant receivedAt) {
        post(() -> reconciler.killSwitchChanged(killSwitch, receivedAt));
    }

    @Override
    public void caughtUp() {
        post(reconciler::start);
    }

    @Override
    public void replaced(RoutedServices services) {
        post(() -> reconciler.replaced(services));
    }

    @Override
    public void opened(StreamId stream, String node, String group, ProxySoftware software) {
        post(() -> reconciler.opened(stream, node, group, software));
    }

    @Override
    public void closed(StreamId stream) {
        post(() -> reconciler.closed(stream));
    }

    @Override
    public void carries(StreamId stream, Set<String> services) {
        post(() -> reconciler.carries(stream, services));
    }

    @Override
    public void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions) {
        post(() -> reconciler.acknowledged(stream, type, versions));
    }

    @Override
    public void refused(StreamId stream, String type, Refusal refusal) {
        LOGGER.warn("a proxy refused {}: {}", type, refusal.error());
        post(() -> reconciler.refused(stream, type, refusal));
    }

    @Override
    public void ejected(String node, String service, String address, boolean out) {
        post(() -> reconciler.ejected(node, service, address, out));
    }

    private void post(Runnable event) {
        queue.add(event);
        if (turnDue.compareAndSet(false, true)) {
            thread.execute(nextTask(() -> {}));
        }
    }

    /**
     * Handles the queued events, does the work, and schedules the next turn. A failure of one part shows in health and stops
     * nothing else: the other events are handled, and the traffic is reconciled. Nothing is thrown, because an executor silently
     * drops a periodic task that throws.
     */
    private Runnable nextTask(Runnable work) {
        return () -> {
            Throwable broken = drainQueue();
            broken = first(broken, attempt("periodic work", work));
            broken = first(broken, attempt("reconciling", reconciler::reconcile));
            broken = first(broken, attempt("scheduling the next turn", this::wakeInTime));
            started = reconciler.started();
            lastTurn = clock.instant();
            failure = broken;
        };
    }

    /** Handles the queued events, at most 10 000 so that the turn gets to reconciling, and returns the first failure. */
    private @Nullable Throwable drainQueue() {
        // Reset before the queue is emptied: an event that arrives later schedules its own turn.
        turnDue.set(false);
        Throwable broken = null;
        for (int handled = 0; handled < MAX_EVENTS_PER_TURN; handled++) {
            Runnable event = queue.poll();
            if (event == null) {
                return broken;
            }
            broken = first(broken, attempt("an event", event));
        }
        if (turnDue.compareAndSet(false, true)) {
            thread.execute(nextTask(() -> {}));
        }
        return broken;
    }

    /** Runs a part of a turn, and returns its failure, or null. */
    private static @Nullable Throwable attempt(String part, Runnable work) {
        try {
            work.run();
            return null;
        } catch (Throwable broken) {
            LOGGER.error("{} of the redirector's loop failed", part, broken);
            return broken;
        }
    }

    private static @Nullable Throwable first(@Nullable Throwable before, @Nullable Throwable next) {
        return before == null ? next : before;
    }

    private void wakeInTime() {
        if (wake != null) {
            wake.cancel(false);
            wake = null;
        }
        reconciler.nextChange().ifPresent(next -> {
            // One millisecond more: a delay that is rounded down would wake too early, again and again.
            long millis = Math.max(0, Duration.between(clock.instant(), next).toMillis()) + 1;
            wake = thread.schedule(nextTask(() -> {}), millis, TimeUnit.MILLISECONDS);
        });
    }

    /** Returns whether proxies are served: the earlier leases have been read, or the deadline for that has passed. */
    boolean started() {
        return started;
    }

    /** Returns the problem of the loop, or null when there is none. */
    @Nullable
    String problem() {
        Throwable broken = failure;
        if (broken != null) {
            return "a part of the last turn failed: " + broken;
        }
        Duration silence = Duration.between(lastTurn, clock.instant());
        return silence.compareTo(properties.statusInterval().multipliedBy(MISSED_SIGNS_OF_LIFE)) > 0
                ? "no turn for " + silence.toMillis() + " ms"
                : null;
    }

    /** Reports all services once more, then stops. The proxies have left by now, and controllers need not wait for them. */
    @Override
    public void close() {
        Future<?> last = thread.submit(nextTask(reconciler::reportAll));
        try {
            last.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException busy) {
            LOGGER.warn("the redirector's loop is still in a turn");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            thread.shutdownNow();
        }
    }
}
