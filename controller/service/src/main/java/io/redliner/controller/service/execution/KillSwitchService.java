// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.safety.KillSwitchComparison;
import io.redliner.controller.core.safety.KillSwitchEffect;
import io.redliner.controller.service.persistence.EmergencyQueries;
import io.redliner.controller.service.persistence.SafetyRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/** Engages and releases the kill switch. Safe for use by several threads. */
public final class KillSwitchService {

    private static final Logger LOG = LoggerFactory.getLogger(KillSwitchService.class);

    /** The time that {@link #release} waits for the redirectors at most. */
    static final Duration RELEASE_TIMEOUT = Duration.ofMillis(KillSwitch.RELEASE_DELAY_MILLIS).multipliedBy(3);

    private static final Duration RELEASE_POLL = Duration.ofMillis(50);

    private final SafetyRepository safety;

    private final RunExecutor executor;

    private final KillSwitchBroadcast broadcast;

    private final ServiceCatalog catalog;

    private final InstantSource clock;

    private final WorkerScheduler scheduler;

    private final KillSwitchComparison comparison = new KillSwitchComparison();

    /** The switch that was engaged here while the database did not answer. */
    private final AtomicReference<@Nullable KillSwitch> unstored = new AtomicReference<>();

    /** The switch that {@link #release} is releasing. */
    private final AtomicReference<@Nullable KillSwitch> releasing = new AtomicReference<>();

    KillSwitchService(SafetyRepository safety, RunExecutor executor, KillSwitchBroadcast broadcast,
            ServiceCatalog catalog, InstantSource clock, WorkerScheduler scheduler) {
        this.broadcast = broadcast;
        this.safety = safety;
        this.executor = executor;
        this.catalog = catalog;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /**
     * The switch after it was engaged.
     *
     * @param stored false while the database does not answer: it is stored as soon as that answers again
     */
    public record Engaged(KillSwitch killSwitch, boolean stored) {}

    /** Returns the switch as it stands: a released one is engaged for as long as redirectors still obey it. */
    public KillSwitch state() {
        KillSwitch engaged = unstored.get();
        return engaged == null ? obeyed(safety.killSwitch()) : engaged;
    }

    private KillSwitch obeyed(KillSwitch stored) {
        return beingReleased(stored).orElse(stored);
    }

    /** Returns the switch that is released and that redirectors still obey: a run that begins now would end at once. */
    public Optional<KillSwitch> beingReleased() {
        return beingReleased(safety.killSwitch());
    }

    private Optional<KillSwitch> beingReleased(KillSwitch stored) {
        return stored.engaged()
                ? Optional.empty()
                : Optional.ofNullable(releasing.get())
                        .or(() -> comparison.beingReleased(stored, catalog.killSwitches()))
                        .map(KillSwitch::beingReleased);
    }

    /** Returns the traffic since the switch was engaged; empty while it is not, or is not stored. */
    public Optional<KillSwitchEffect> effect(KillSwitch killSwitch) {
        return killSwitch.engaged() && unstored.get() == null
                ? Optional.of(safety.effectSince(killSwitch.at()))
                : Optional.empty();
    }

    /**
     * Restores all traffic, and lets no run begin from now on. This controller's runs end at once, also when the database cannot
     * be reached. Those of other controllers end when they read the switch. Redirectors end leases that no controller drives.
     *
     * @param given false when the reason is a stand-in for one: a switch that is engaged keeps its own
     */
    public Engaged engage(String actor, String reason, boolean given) {
        LOG.warn("the kill switch is engaged by {}: {}", actor, reason);
        KillSwitch engaged = new KillSwitch(true, actor, reason, clock.instant());
        executor.halt(service -> true, new RunEvent.Halted(StopCode.KILL_SWITCH, engaged.describe()));
        // Redirectors obey the stored switch already, and keep the newest that they get.
        boolean again = !given && comparison.engaged();
        if (!again) {
            broadcast.publish(engaged);
        }
        try {
            KillSwitch stored = EmergencyQueries.run(() -> given
                    ? safety.setKillSwitch(true, actor, reason, engaged.at())
                    : safety.engageIfReleased(actor, reason, engaged.at()));
            comparison.stored(stored);
            if (again) {
                broadcast.publish(stored);
            }
            return new Engaged(stored, true);
        } catch (NestedRuntimeException unreachable) {
            LOG.error("the kill switch is engaged, and that is not stored yet: {}", unreachable.toString());
            if (again) {
                broadcast.publish(engaged);
            }
            unstored.set(engaged);
            return new Engaged(engaged, false);
        }
    }

    /**
     * Lets runs begin again. Returns when the redirectors that are alive obey the release, or after {@link #RELEASE_TIMEOUT}: a
     * run that begins afterwards is not rejected because of the switch.
     */
    public KillSwitch release(String actor, String reason) {
        LOG.warn("the kill switch is released by {}: {}", actor, reason);
        KillSwitch engaged = unstored.get();
        KillSwitch before = engaged == null ? safety.killSwitch() : engaged;
        comparison.stored(before);
        boolean obeyed = before.engaged() && !catalog.killSwitches().isEmpty();
        if (obeyed) {
            releasing.set(before);
        }
        try {
            KillSwitch released = safety.setKillSwitch(false, actor, reason, clock.instant());
            unstored.set(null);
            broadcast.publish(released);
            if (obeyed) {
                awaitRelease();
            }
            return released;
        } finally {
            releasing.compareAndSet(before, null);
        }
    }

    private void awaitRelease() {
        Instant published = clock.instant();
        // A redirector whose report of the engaged switch is still under way obeys it for as long.
        Instant earliest = published.plusMillis(KillSwitch.RELEASE_DELAY_MILLIS);
        try {
            while (clock.instant().isBefore(earliest)
                    || catalog.killSwitches().stream().anyMatch(KillSwitch::engaged)) {
                if (!clock.instant().isBefore(published.plus(RELEASE_TIMEOUT))) {
                    LOG.warn("not every redirector has obeyed the release of the kill switch within {}",
                            RELEASE_TIMEOUT);
                    return;
                }
                scheduler.pause(RELEASE_POLL);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a switch that is not stored yet to the redirectors again, as the first record may be lost. */
    void repeat() {
        KillSwitch engaged = unstored.get();
        if (engaged != null) {
            broadcast.repeat(engaged);
        }
    }

    /**
     * Stores a switch that was engaged while the database did not answer, then reads the switch and repeats it for the
     * redirectors. A switch that redirectors obey and that was not engaged here is stored, so that users see it and can release
     * it.
     */
    KillSwitch refresh() {
        store();
        KillSwitch stored = safety.killSwitch();
        List<KillSwitch> reported = catalog.killSwitches();
        Optional<KillSwitch> foreign = comparison.foreign(stored, reported, clock.instant());
        if (foreign.isPresent()) {
            KillSwitch other = foreign.get();
            LOG.error(
                    "redirectors obey a kill switch that is not engaged here, engaged by {} at {}: {}. It is stored now, "
                            + "and can be released. When nobody knows of it, find out who writes to the topic of leases",
                    other.actor(), other.at(), other.reason());
            stored = safety.setKillSwitch(true, other.actor(), other.reason(), other.at());
            comparison.stored(stored);
        }
        if (comparison.beingReleased(stored, reported).isPresent()) {
            broadcast.publish(stored);
        } else {
            broadcast.repeat(stored);
        }
        return stored;
    }

    /** Stores the switch, unless it was turned later. */
    private void store() {
        KillSwitch engaged = unstored.get();
        if (engaged != null) {
            if (safety.killSwitch().at().isBefore(engaged.at())) {
                safety.setKillSwitch(true, engaged.actor(), engaged.reason(), engaged.at());
            }
            unstored.compareAndSet(engaged, null);
        }
    }
}
