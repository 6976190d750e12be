// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The result of one comparison of a rule in one window.
 *
 * @param judgement of this comparison alone
 * @param scope whose value it is
 * @param value the measured side, in the unit; empty without data
 * @param threshold the limit, in the unit; empty without data
 * @param utilisation how much of the limit is used: 1 at the limit, above 1 when it is broken; empty without data or
 *            where the limit is 0
 * @param unit of value and threshold
 * @param proportion for limits on latency percentiles and on ratios of requests, with unknown requests counted as exceeding; empty
 *            for all others and without data
 * @param reason why it is inconclusive; empty otherwise
 */
public record ComparisonResult(Judgement judgement, Scope scope, OptionalDouble value, OptionalDouble threshold,
        OptionalDouble utilisation, MetricUnit unit, Optional<Proportion> proportion, String reason) {

    static ComparisonResult inconclusive(Scope scope, MetricUnit unit, OptionalDouble threshold, String reason) {
        return new ComparisonResult(Judgement.INCONCLUSIVE, scope, OptionalDouble.empty(), threshold,
                OptionalDouble.empty(), unit, Optional.empty(), reason);
    }
}
