// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.SafetyStore;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.StopCode;
import io.redliner.controller.safety.KillSwitch;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Engages and releases the kill switch. */
public final class EmergencyStop {

    private static final Logger LOG = LoggerFactory.getLogger(EmergencyStop.class);

    private final SafetyStore safety;

    private final RunDriver driver;

    private final InstantSource clock;

    EmergencyStop(SafetyStore safety, RunDriver driver, InstantSource clock) {
        this.safety = safety;
        this.driver = driver;
        this.clock = clock;
    }

    /** The switch as it stands. */
    public KillSwitch state() {
        return safety.killSwitch();
    }

    /**
     * Restores all traffic, and lets nothing begin from now on. This controller's runs end at once, also when the
     * database cannot be reached; those of the others when they look at it.
     */
    public KillSwitch engage(String actor, String reason) {
        LOG.warn("the kill switch is engaged by {}: {}", actor, reason);
        KillSwitch engaged = new KillSwitch(true, actor, reason, clock.instant());
        driver.halt(service -> true, new RunEvent.Halted(StopCode.KILL_SWITCH, engaged.described()));
        return safety.turn(true, actor, reason, engaged.at());
    }

    /** Lets runs begin again. */
    public KillSwitch release(String actor, String reason) {
        LOG.warn("the kill switch is released by {}: {}", actor, reason);
        return safety.turn(false, actor, reason, clock.instant());
    }
}
