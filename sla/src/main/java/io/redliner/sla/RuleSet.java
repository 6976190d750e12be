// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of one plan: its SLA and its guards. Their total cost is limited, so that a window has time for all of them. For one
 * thread.
 */
public final class RuleSet {

    /** Rules in one plan. */
    public static final int MAX_RULES = 50;

    private static final int MAX_COST = 4_000;

    /** Distinct latency limits in one plan. A collector counts hanging requests against each. */
    private static final int MAX_LATENCY_LIMITS = 64;

    private final List<Rule> rules = new ArrayList<>();

    /**
     * Adds a rule.
     *
     * @throws InvalidRuleException when the plan cannot have this rule beside the rules before it; the rule is not added
     */
    public void add(Rule rule) {
        if (rules.size() == MAX_RULES) {
            throw tooMany(rule.name());
        }
        int cost = rules.stream().mapToInt(Rule::cost).sum() + rule.cost();
        if (cost > MAX_COST) {
            throw refused(rule, "the plan's rules cost " + cost + " steps in every window, more than the " + MAX_COST
                    + " allowed (a latency costs " + Operand.COST_OF_HISTOGRAM + "): leave out some");
        }
        long limits = Stream.concat(rules.stream(), Stream.of(rule))
                .flatMap(one -> one.latencyLimits().stream())
                .distinct()
                .count();
        if (limits > MAX_LATENCY_LIMITS) {
            throw refused(rule,
                    "the plan's rules compare latencies with " + limits + " limits, and hanging requests are "
                            + "counted against at most " + MAX_LATENCY_LIMITS + " latency limits: leave out some");
        }
        rules.add(rule);
    }

    /** Returns the exception for a rule beyond {@link #MAX_RULES}. */
    public static InvalidRuleException tooMany(String rule) {
        return new InvalidRuleException(rule, 1, 1,
                "a plan has at most " + MAX_RULES + " rules: leave out some, or join them with &&");
    }

    private static InvalidRuleException refused(Rule rule, String message) {
        return new InvalidRuleException(rule.name(), 1, 1, message);
    }
}
