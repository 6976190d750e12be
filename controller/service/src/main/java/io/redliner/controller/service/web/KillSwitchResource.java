// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.safety.KillSwitchEffect;
import io.redliner.controller.service.execution.KillSwitchService;
import io.redliner.controller.service.security.AuditContext;
import io.redliner.controller.service.security.Permissions;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
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

    private static final String NOT_GIVEN = "no reason given";

    private final KillSwitchService killSwitchService;

    private final Permissions permissions;

    KillSwitchResource(KillSwitchService killSwitchService, Permissions permissions) {
        this.permissions = permissions;
        this.killSwitchService = killSwitchService;
    }

    @GetMapping
    StateView state() {
        KillSwitch now = killSwitchService.state();
        return new StateView(now.engaged(), now.actor(), now.reason(), now.at(),
                killSwitchService.effect(now).map(TrafficView::of).orElse(null));
    }

    /** The switch; {@code traffic} is absent while it is not engaged. */
    record StateView(boolean engaged, String actor, String reason, Instant at, @Nullable TrafficView traffic) {}

    /**
     * The knowledge about whether the traffic is natural.
     *
     * @param since when the last run ended that was live with the switch engaged; absent when there was none
     * @param words the same as a sentence
     */
    record TrafficView(KillSwitchEffect.Traffic state, @Nullable Instant since, String words) {

        static TrafficView of(KillSwitchEffect effect) {
            return new TrafficView(effect.traffic(), effect.lastEndedAt(), effect.describe());
        }
    }

    @PostMapping
    ResponseEntity<EngagedView> engage(HttpServletRequest request) throws InvalidDocumentException {
        String reason = ReasonRequestReader.readOfStop(request, NOT_GIVEN);
        AuditContext.reason(reason);
        boolean given = !List.of(NOT_GIVEN, ReasonRequestReader.NO_REASON).contains(reason);
        return ResponseEntity.accepted()
                .body(EngagedView.of(killSwitchService.engage(permissions.caller().name(), reason, given)));
    }

    /** The switch after it was engaged; {@code stored} is false while the database does not answer. */
    record EngagedView(boolean engaged, String actor, String reason, Instant at, boolean stored) {

        static EngagedView of(KillSwitchService.Engaged engaged) {
            KillSwitch now = engaged.killSwitch();
            return new EngagedView(now.engaged(), now.actor(), now.reason(), now.at(), engaged.stored());
        }
    }

    @DeleteMapping
    KillSwitch release(@RequestParam String reason) throws InvalidDocumentException {
        AuditContext.reason(reason);
        return killSwitchService.release(permissions.caller().name(), ReasonRequestReader.require("reason", reason));
    }
}
