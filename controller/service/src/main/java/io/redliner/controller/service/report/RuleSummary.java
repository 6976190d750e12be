// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.RuleResult;
import java.time.Instant;
import java.util.List;

/**
 * The results of one rule in all windows of a run.
 *
 * @param windows that it was asked in
 * @param baselineWindows of them, those of the phase Baseline
 * @param baselineBreached of those, the broken ones
 * @param worst what it said where its limit was used most; a breach is worse than none
 * @param worstAt when that window began
 */
public record RuleSummary(String name, String expression, boolean guard, boolean informational, long windows,
        long breached, long inconclusive, long baselineWindows, long baselineBreached, RuleResult worst,
        Instant worstAt) {

    /** Returns the worst value and its limit, for people. */
    String describe() {
        return worst.compared();
    }

    /** Returns the unit of a rule's values; empty when the rule is unknown or has none. */
    static String unit(List<RuleSummary> rules, String name) {
        return rules.stream().filter(rule -> rule.name().equals(name)).findFirst().map(rule -> rule.worst().unit())
                .orElse("");
    }
}
