// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.safety.KillSwitch;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.service.execution.EmergencyStop;
import io.redliner.controller.service.security.AuditNotes;
import io.redliner.controller.service.security.Body;
import io.redliner.controller.service.security.Permissions;
import java.io.InputStream;
import java.time.Instant;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The switch that restores all traffic and lets nothing begin. */
@RestController
@RequestMapping("/api/v1/kill-switch")
class KillSwitchResource {

    private final EmergencyStop stop;

    private final Permissions permissions;

    KillSwitchResource(EmergencyStop stop, Permissions permissions) {
        this.permissions = permissions;
        this.stop = stop;
    }

    @GetMapping
    KillSwitch state() {
        return stop.state();
    }

    @PostMapping
    ResponseEntity<EngagedView> engage(InputStream input) throws InvalidPlanException {
        String reason = ReasonRequestReader.read(Body.read(input));
        AuditNotes.reason(reason);
        return ResponseEntity.accepted()
                .body(EngagedView.of(stop.engage(permissions.caller().name(), reason)));
    }

    /** The switch after it was engaged; {@code stored} is false while the database does not answer. */
    record EngagedView(boolean engaged, String actor, String reason, Instant at, boolean stored) {

        static EngagedView of(EmergencyStop.Engaged engaged) {
            KillSwitch now = engaged.killSwitch();
            return new EngagedView(now.engaged(), now.actor(), now.reason(), now.at(), engaged.stored());
        }
    }

    @DeleteMapping
    KillSwitch release(@RequestParam String reason) throws InvalidPlanException {
        AuditNotes.reason(reason);
        return stop.release(permissions.caller().name(), ReasonRequestReader.require("reason", reason));
    }
}
