// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;
import io.redliner.sla.Judgement;
import org.jspecify.annotations.Nullable;

/**
 * The result of one rule in one window.
 *
 * @param value the measured side of the comparison that decided, in {@code unit}
 * @param threshold its limit
 * @param utilisation the used part of the limit: 1 at the limit, above 1 when broken
 * @param unit {@code seconds}, {@code ratio}, {@code requests/s}, {@code count}, {@code bytes/s} or empty
 * @param informational reported and never acted on
 * @param reason why it is inconclusive, otherwise empty
 * @param proportion of the comparison that decided; absent when it is no proportion, or when the analyzer reported none
 */
public record RuleResult(String name, String expression, Judgement judgement, @Nullable Double value,
        @Nullable Double threshold, @Nullable Double utilisation, String unit, boolean informational, String reason,
        @Nullable RuleCounts proportion) {

    /** The result of a rule that is not about a proportion. */
    public RuleResult(String name, String expression, Judgement judgement, @Nullable Double value,
            @Nullable Double threshold, @Nullable Double utilisation, String unit, boolean informational,
            String reason) {
        this(name, expression, judgement, value, threshold, utilisation, unit, informational, reason, null);
    }

    /** Name, value and threshold in one phrase. */
    public String describe() {
        return "'" + name + "' (" + expression + ")" + (value == null ? "" : ": " + compared());
    }

    /** Value and threshold in the rule's unit: {@code 13 % against 5 %}. */
    public String compared() {
        return NumberText.measure(value, unit) + " against " + NumberText.measure(threshold, unit);
    }
}
