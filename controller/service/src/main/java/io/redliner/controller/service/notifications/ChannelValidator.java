// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.service.submission.PlanValidator;
import java.util.List;
import java.util.Optional;

/** Refuses plans with receivers that this controller cannot notify. */
final class ChannelValidator implements PlanValidator {

    private final ChannelRegistry channels;

    ChannelValidator(ChannelRegistry channels) {
        this.channels = channels;
    }

    @Override
    public void check(Plan plan) {
        for (int entry = 0; entry < plan.notifications().size(); entry++) {
            Optional<String> fault = channels.fault(plan.notifications().get(entry).receiver());
            if (fault.isPresent()) {
                throw new RunRejectedException(RejectionReason.RECEIVER_NOT_CONFIGURED, fault.get(),
                        "$.spec.notify[" + entry + "]", List.of());
            }
        }
    }
}
