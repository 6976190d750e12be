// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.ComparisonResult;
import io.redliner.sla.Judgement;
import io.redliner.sla.Proportion;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.SlaEvaluation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One limit of the SLA in one window: a comparison of a rule whose comparisons must all hold, or a whole rule of alternatives.
 *
 * @param key the same in every window
 * @param rule name of the limit's rule
 * @param judgement of this limit alone
 * @param comparison that decided
 * @param proportion of the requests at the SUT that may exceed; empty for levels, when none or all may exceed, and without data
 */
record RuleLimit(String key, String rule, Judgement judgement, ComparisonResult comparison,
        Optional<Proportion> proportion) {

    static List<RuleLimit> all(SlaEvaluation sla) {
        return sla.deciding().stream().flatMap(RuleLimit::of).toList();
    }

    /** Returns the seconds that a request may take; empty when the limit is not on latency. */
    OptionalDouble latencySeconds() {
        return proportion.filter(it -> it.kind() == Proportion.Kind.SLOW).isPresent()
                ? comparison.threshold()
                : OptionalDouble.empty();
    }

    CapacityEstimate.Breach breach(double load, String words) {
        return new CapacityEstimate.Breach(load, rule, comparison.value(),
                comparison.value().isPresent() ? comparison.threshold() : OptionalDouble.empty(), words);
    }

    private static Stream<RuleLimit> of(RuleEvaluation outcome) {
        String rule = outcome.rule().name();
        if (!outcome.rule().isConjunction()) {
            return Stream.of(new RuleLimit(rule, rule, outcome.judgement(), outcome.comparison(), Optional.empty()));
        }
        return IntStream.range(0, outcome.comparisons().size()).mapToObj(i -> {
            var comparison = outcome.comparisons().get(i);
            return new RuleLimit(rule + "#" + i, rule, comparison.judgement(), comparison,
                    comparison.scope() == Scope.SUT
                            ? comparison.proportion().filter(RuleLimit::allowsSome)
                            : Optional.empty());
        });
    }

    private static boolean allowsSome(Proportion proportion) {
        return proportion.allowedRatio() > 0 && proportion.allowedRatio() < 1;
    }
}
