// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.safety.KillSwitch;
import io.redliner.controller.service.persistence.EmergencyQueries;
import io.redliner.controller.service.persistence.SafetyRepository;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/** Engages and releases the kill switch. Safe for use by several threads. */
public final class KillSwitchService {

    private static final Logger LOG = LoggerFactory.getLogger(KillSwitchService.class);

    private final SafetyRepository safety;

    private final RunExecutor driver;

    private final KillSwitchBroadcast broadcast;

    private final InstantSource clock;

    /** Engaged here while the database did not answer. */
    private final AtomicReference<@Nullable KillSwitch> unstored = new AtomicReference<>();

    KillSwitchService(SafetyRepository safety, RunExecutor driver, KillSwitchBroadcast broadcast, InstantSource clock) {
        this.broadcast = broadcast;
        this.safety = safety;
        this.driver = driver;
        this.clock = clock;
    }

    /**
     * The switch after it was engaged.
     *
     * @param stored false while the database does not answer: it is stored as soon as that answers again
     */
    public record Engaged(KillSwitch killSwitch, boolean stored) {}

    /** The switch as it stands. */
    public KillSwitch state() {
        KillSwitch engaged = unstored.get();
        return engaged == null ? safety.killSwitch() : engaged;
    }

    /**
     * Restores all traffic, and lets nothing begin from now on. This controller's runs end at once, also when the
     * database cannot be reached; those of the others when they look at it. Redirectors give back what nobody drives.
     */
    public Engaged engage(String actor, String reason) {
        LOG.warn("the kill switch is engaged by {}: {}", actor, reason);
        KillSwitch engaged = new KillSwitch(true, actor, reason, clock.instant());
        driver.halt(service -> true, new RunEvent.Halted(StopCode.KILL_SWITCH, engaged.describe()));
        broadcast.send(engaged);
        try {
            return new Engaged(EmergencyQueries.run(() -> safety.turn(true, actor, reason, engaged.at())), true);
        } catch (NestedRuntimeException unreachable) {
            LOG.error("the kill switch is engaged, and that is not stored yet: {}", unreachable.toString());
            unstored.set(engaged);
            return new Engaged(engaged, false);
        }
    }

    /** Lets runs begin again. */
    public KillSwitch release(String actor, String reason) {
        LOG.warn("the kill switch is released by {}: {}", actor, reason);
        KillSwitch released = safety.turn(false, actor, reason, clock.instant());
        unstored.set(null);
        return released;
    }

    /** Sends a switch that is not stored yet to the redirectors again, as the first record may be lost. */
    void repeat() {
        KillSwitch engaged = unstored.get();
        if (engaged != null) {
            broadcast.send(engaged);
        }
    }

    /** Stores a switch that was engaged while the database did not answer, then reads the switch and sends it to the redirectors. */
    KillSwitch look() {
        store();
        KillSwitch killSwitch = safety.killSwitch();
        broadcast.send(killSwitch);
        return killSwitch;
    }

    /** Not when somebody turned the switch later. */
    private void store() {
        KillSwitch engaged = unstored.get();
        if (engaged != null) {
            if (safety.killSwitch().at().isBefore(engaged.at())) {
                safety.turn(true, engaged.actor(), engaged.reason(), engaged.at());
            }
            unstored.compareAndSet(engaged, null);
        }
    }
}
