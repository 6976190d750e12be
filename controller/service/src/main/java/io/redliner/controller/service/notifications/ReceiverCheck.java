// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.plan.Plan;
import io.redliner.controller.service.execution.PlanCheck;
import io.redliner.controller.service.execution.Refusal;
import io.redliner.controller.service.execution.RunRefusedException;
import java.util.List;
import java.util.Optional;

/** Refuses plans with receivers that this controller cannot tell. */
final class ReceiverCheck implements PlanCheck {

    private final Receivers receivers;

    ReceiverCheck(Receivers receivers) {
        this.receivers = receivers;
    }

    @Override
    public void check(Plan plan) throws RunRefusedException {
        for (int entry = 0; entry < plan.notifications().size(); entry++) {
            Optional<String> fault = receivers.fault(plan.notifications().get(entry).receiver());
            if (fault.isPresent()) {
                throw new RunRefusedException(Refusal.RECEIVER_NOT_CONFIGURED, fault.get(),
                        "$.spec.notify[" + entry + "]", List.of());
            }
        }
    }
}
