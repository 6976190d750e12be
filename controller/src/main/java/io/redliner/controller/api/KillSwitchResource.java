// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.driver.EmergencyStop;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.yaml.ReasonReader;
import io.redliner.controller.safety.KillSwitch;
import java.io.InputStream;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
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

    KillSwitchResource(EmergencyStop stop) {
        this.stop = stop;
    }

    @GetMapping
    KillSwitch state() {
        return stop.state();
    }

    @PostMapping
    ResponseEntity<KillSwitch> engage(InputStream input, @Nullable Principal principal) throws InvalidPlanException {
        String reason = ReasonReader.read(Body.read(input));
        return ResponseEntity.accepted().body(stop.engage(Actor.name(principal), reason));
    }

    @DeleteMapping
    KillSwitch release(@RequestParam String reason, @Nullable Principal principal) throws InvalidPlanException {
        return stop.release(Actor.name(principal), ReasonReader.require("reason", reason));
    }
}
