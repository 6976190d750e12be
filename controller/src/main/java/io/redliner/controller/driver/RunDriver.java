// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.catalog.ServiceCatalog;
import io.redliner.controller.catalog.ServiceReport;
import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.messaging.InboxListener;
import io.redliner.controller.run.RedirectorReport;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunState;
import io.redliner.controller.run.WindowVerdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which all decisions of this controller are made, in the order in which events arrive. Everybody
 * else only puts something into its queue.
 */
public final class RunDriver implements InboxListener {

    private static final Logger LOG = LoggerFactory.getLogger(RunDriver.class);

    private static final Duration FAREWELL_EVERY = Duration.ofSeconds(2);

    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();

    private final Map<String, LiveRun> live = new ConcurrentHashMap<>();

    private final ServiceCatalog catalog;

    private final DecisionStep steps;

    private final Recovery recovery;

    private final InstantSource clock;

    private final Duration tick;

    private final Thread worker;

    private volatile boolean closed;

    private volatile boolean stopping;

    private volatile boolean recovered;

    private volatile Instant turnedAt;

    RunDriver(ServiceCatalog catalog, DecisionStep steps, Recovery recovery, Duration tick, InstantSource clock) {
        this.catalog = catalog;
        this.steps = steps;
        this.recovery = recovery;
        this.clock = clock;
        this.tick = tick;
        this.turnedAt = clock.instant();
        this.worker = Thread.ofPlatform().name("controller-driver").daemon().unstarted(this::work);
    }

    /** Starts driving: first every run that the database still holds is brought to its end. */
    void start() {
        worker.start();
    }

    /** Whether runs can be started. */
    boolean accepting() {
        return recovered && !stopping && worker.isAlive();
    }

    /** Whether the thread lives and turns. */
    boolean healthy() {
        return worker.isAlive() && clock.instant().isBefore(turnedAt.plusSeconds(10));
    }

    /** Whether this controller drives the run. */
    public boolean drives(String runId) {
        return live.containsKey(runId);
    }

    /** How many runs this controller drives. */
    public int driven() {
        return live.size();
    }

    void begin(StoredRun run, List<String> redirectors) {
        LiveRun started = recovery.adopt(run);
        live.put(run.id(), started);
        queue.add(() -> step(started, stopping
                ? new RunEvent.ControllerStopping()
                : new RunEvent.Submitted(redirectors)));
    }

    /** Asks for the end of a run; false when this controller does not drive it. */
    public boolean abort(String runId, String reason) {
        LiveRun run = live.get(runId);
        if (run == null) {
            return false;
        }
        queue.add(() -> step(run, new RunEvent.AbortRequested(reason)));
        return true;
    }

    /** Ends all runs, takes no new ones, and waits until traffic is restored or the time is over. */
    void stop(Duration patience) {
        stopping = true;
        queue.add(() -> live.values().forEach(run -> step(run, new RunEvent.ControllerStopping())));
        Instant deadline = clock.instant().plus(patience);
        try {
            while (!live.isEmpty() && worker.isAlive() && clock.instant().isBefore(deadline)) {
                worker.join(Duration.ofMillis(20));
            }
            closed = true;
            queue.add(() -> {});
            worker.join(Duration.ofSeconds(2));
        } catch (InterruptedException interrupted) {
            closed = true;
            Thread.currentThread().interrupt();
        }
        if (!live.isEmpty()) {
            LOG.warn("stopped before the proxies proved natural traffic for {} runs; their leases run out",
                    live.size());
        }
    }

    @Override
    public void verdict(String service, WindowVerdict verdict) {
        queue.add(() -> stepService(service, new RunEvent.VerdictArrived(verdict)));
    }

    @Override
    public void status(ServiceReport service, RedirectorReport report) {
        catalog.heard(service);
        queue.add(() -> stepService(service.service(), new RunEvent.LeaseStatusArrived(report)));
    }

    private void work() {
        Instant nextTick = clock.instant();
        Instant nextFarewell = nextTick.plus(FAREWELL_EVERY);
        while (!closed) {
            try {
                Runnable task = queue.poll(tick.toMillis() / 4 + 1, TimeUnit.MILLISECONDS);
                turnedAt = clock.instant();
                if (task != null) {
                    task.run();
                }
                if (!recovered) {
                    recover();
                }
                if (!turnedAt.isBefore(nextTick)) {
                    nextTick = turnedAt.plus(tick);
                    live.values().forEach(run -> step(run, new RunEvent.Tick()));
                }
                if (!turnedAt.isBefore(nextFarewell)) {
                    nextFarewell = turnedAt.plus(FAREWELL_EVERY);
                    recovery.repeatFarewells(turnedAt, this::farewellDelivered);
                }
            } catch (InterruptedException interrupted) {
                LOG.warn("the driver was interrupted");
                return;
            } catch (RuntimeException failure) {
                LOG.error("the driver goes on after a failure", failure);
            }
        }
    }

    /**
     * Takes every live run over. One that still has a driver may change while it is being taken: then nothing was
     * stored, and the next turn tries again.
     */
    private void recover() {
        boolean all = true;
        for (LiveRun run : recovery.findLive()) {
            String id = run.stored().id();
            if (!live.containsKey(id)) {
                live.put(id, run);
                step(run, recovery.restarted(run));
                all &= run.taken();
                if (!run.taken()) {
                    live.remove(id);
                }
            }
        }
        recovered = all;
    }

    private void stepService(String service, RunEvent event) {
        for (LiveRun run : live.values()) {
            if (run.service().equals(service)) {
                step(run, event);
            }
        }
    }

    private void step(LiveRun run, RunEvent event) {
        String id = run.stored().id();
        if (live.get(id) != run) {
            return;
        }
        boolean driving = steps.step(run, event, (what, reason) -> queue.add(
                () -> step(run, new RunEvent.NotDelivered(what, reason))), this::farewellDelivered);
        if (!driving || run.state() instanceof RunState.Finished) {
            live.remove(id);
        }
    }

    /** Called by Kafka's thread, which must not wait for the database. */
    private void farewellDelivered(StoredRun run) {
        queue.add(() -> recovery.farewellDelivered(run));
    }
}
