// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.Plan;
import io.redliner.sla.Rule;
import java.util.List;

/** Notes for the author of a plan about its rules, which are no mistakes. */
final class RuleNotes {

    private RuleNotes() {}

    /** A sentence for each rule that is a level, with the form that is judged by counting requests, where there is one. */
    static List<String> of(Plan plan) {
        return plan.sla().stream().filter(rule -> !rule.informational() && !rule.counted()).map(RuleNotes::level)
                .toList();
    }

    private static String level(Rule rule) {
        return "rule '" + rule.name() + "' (" + rule.expression() + ") cannot be judged by counting requests:"
                + " it is a level, which a window keeps or breaks as a whole, and all requests of a window in which"
                + " the SUT alone breaks it are harm. " + rule.countedForm()
                        .map(counted -> "To have requests counted, write it as " + counted)
                        .orElse("A limit on a percentile or on an error ratio is found with less harm");
    }
}
