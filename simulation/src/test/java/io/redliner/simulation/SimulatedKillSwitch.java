// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.safety.KillSwitchComparison;
import io.redliner.simulation.Network.Place;
import java.time.Duration;
import java.time.Instant;

/**
 * The kill switch as it is stored, and the controllers that keep the redirectors to it, as the controller's
 * {@code KillSwitchService} does with its database.
 */
final class SimulatedKillSwitch {

    /** The controller's setting {@code driver.watch}, ms. */
    private static final long WATCH = 500;

    private static final long NEVER = Long.MAX_VALUE;

    private final LoopSimulation loop;

    private final KillSwitchComparison comparison = new KillSwitchComparison();

    private final ServiceCatalog catalog;

    private KillSwitch stored = new KillSwitch(false, "", "", Instant.EPOCH);

    private boolean undelivered;

    /** Since when the engaged switch has been repeated without a gap, ms. */
    private long repeatedSince = NEVER;

    SimulatedKillSwitch(LoopSimulation loop) {
        this.loop = loop;
        this.catalog = new ServiceCatalog(loop.time, Duration.ofSeconds(5));
    }

    void plan(Forgeries forgeries, long submission) {
        loop.time.every(WATCH, this::look);
        if (forgeries.engagedAt() >= 0) {
            loop.time.at(submission + forgeries.engagedAt(), this::engage);
            loop.time.at(submission + forgeries.releasedAt(), this::release);
        }
    }

    ServiceCatalog catalog() {
        return catalog;
    }

    /** For how long controllers have repeated the engaged switch without a gap, ms; 0 when it is not engaged. */
    long heldFor() {
        return stored.engaged() && repeatedSince != NEVER ? loop.time.now() - repeatedSince : 0;
    }

    private void engage() {
        turn(true, "somebody");
        halt();
        publish();
    }

    void release() {
        comparison.stored(stored);
        turn(false, "somebody");
        publish();
    }

    private void turn(boolean engaged, String actor) {
        stored = new KillSwitch(engaged, actor, "simulated", loop.time.instant());
        repeatedSince = NEVER;
    }

    private void look() {
        if (!loop.controllers.isEmpty() && loop.controllers.stream().noneMatch(SimulatedController::alive)) {
            repeatedSince = NEVER;
            return;
        }
        comparison.foreign(stored, catalog.killSwitches(), loop.time.instant()).ifPresent(other -> {
            stored = other;
            comparison.stored(stored);
        });
        if (stored.engaged()) {
            halt();
        }
        if (stored.engaged() || undelivered
                || comparison.beingReleased(stored, catalog.killSwitches()).isPresent()) {
            publish();
        }
    }

    private void halt() {
        if (!loop.controllers.isEmpty()) {
            loop.driving().step(new RunEvent.Halted(StopCode.KILL_SWITCH, stored.describe()));
        }
    }

    private void publish() {
        undelivered = !loop.network.reaches(Place.CONTROLLER);
        if (undelivered) {
            repeatedSince = NEVER;
            return;
        }
        if (repeatedSince == NEVER) {
            repeatedSince = loop.time.now();
        }
        loop.topic.write(Place.CONTROLLER,
                LeaseRecord.written("", stored.topicRecord().toByteArray(), true,
                        loop.time.now()));
    }
}
