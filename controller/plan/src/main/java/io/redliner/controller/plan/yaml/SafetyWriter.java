// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.PlanSafety;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the canonical content of the safety section; nothing of {@link PlanSafety#NONE}. */
final class SafetyWriter {

    private SafetyWriter() {}

    static void write(PlanSafety safety, Map<String, Object> specification) {
        Map<String, Object> content = new LinkedHashMap<>();
        String group = safety.conflictGroup();
        if (group != null) {
            content.put("conflictGroup", group);
        }
        Duration within = safety.approvalWithin();
        if (within != null) {
            content.put("approval", Map.of("within", DurationText.write(within)));
        }
        if (safety.trafficRequired()) {
            content.put("traffic", "required");
        }
        if (!content.isEmpty()) {
            specification.put("safety", content);
        }
    }
}
