// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.WindowVerdict;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the rule whose limit is the red line in a chart of latencies. The SLA's rules about a time are candidates. One
 * that acts precedes an informational one, then one about the p99 precedes the others, and then the first one is taken.
 */
public final class LatencyRuleSelector {

    private LatencyRuleSelector() {}

    /** The rule in this window; empty when the SLA has none about a time. */
    public static Optional<RuleResult> of(WindowVerdict verdict) {
        return verdict.sla()
                .stream()
                .filter(rule -> rule.unit().equals("seconds"))
                .min(Comparator.comparing(RuleResult::informational)
                        .thenComparing(rule -> !rule.expression().contains("latency.p99")));
    }

    /** The value that the rule measured. */
    public static @Nullable Double value(WindowVerdict verdict) {
        return of(verdict).map(RuleResult::value).orElse(null);
    }

    /** The limit of the rule. */
    public static @Nullable Double threshold(WindowVerdict verdict) {
        return of(verdict).map(RuleResult::threshold).orElse(null);
    }

    static @Nullable Double utilisation(JudgedWindow window) {
        return Stream.concat(window.verdict().sla().stream(), window.verdict().guards().stream())
                .filter(rule -> !rule.informational())
                .map(RuleResult::utilisation)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }
}
