// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.PlanSafety;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code safety} of a plan. */
final class SafetyReader {

    private SafetyReader() {}

    static PlanSafety read(@Nullable NodeReader safety) {
        if (safety == null) {
            return PlanSafety.NONE;
        }
        String group = safety.optionalIfAny("conflictGroup", PlanSafety::requireGroup);
        NodeReader approval = safety.optionalObject("approval");
        Duration within = approval == null
                ? null
                : approval.required("within", text -> PlanSafety.requireApprovalWithin(DurationText.parse(text)));
        if (approval != null) {
            approval.rejectOthers();
        }
        boolean traffic = safety.optional("traffic", SafetyReader::required, false);
        safety.rejectOthers();
        return new PlanSafety(group, within, traffic);
    }

    private static boolean required(String text) {
        return switch (text) {
            case "required" -> true;
            case "any" -> false;
            default -> throw new IllegalArgumentException("is neither required nor any");
        };
    }
}
