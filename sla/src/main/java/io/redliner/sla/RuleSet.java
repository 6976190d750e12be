// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The rules of one plan, its SLA and its guards: all must hold at once, so they must not contradict each other, and
 * together they must not cost more than a window has time for. Informational rules may contradict. For one thread.
 */
public final class RuleSet {

    private static final int MOST_RULES = 50;

    private static final int MOST_COST = 4_000;

    private final List<Rule> rules = new ArrayList<>();

    /**
     * Takes one more rule.
     *
     * @throws InvalidRuleException when the rule cannot be in a plan together with the ones before it; it is not taken
     */
    public void add(Rule rule) {
        if (rules.size() == MOST_RULES) {
            throw refused(rule, "a plan has at most " + MOST_RULES + " rules: leave out some, or join them with &&");
        }
        int cost = rules.stream().mapToInt(Rule::cost).sum() + rule.cost();
        if (cost > MOST_COST) {
            throw refused(rule, "the plan's rules cost " + cost + " steps in every window, more than the " + MOST_COST
                    + " allowed (a latency costs " + Operand.COST_OF_HISTOGRAM + "): leave out some");
        }
        if (!rule.informational()) {
            contradicted(rule).ifPresent(other -> {
                throw refused(rule, "this contradicts rule '" + other.name() + "' (" + other.expression()
                        + "): no measurement satisfies both; change a limit, or leave one of them out");
            });
        }
        rules.add(rule);
    }

    private Optional<Rule> contradicted(Rule rule) {
        return rules.stream().filter(other -> !other.informational()).filter(other -> contradict(rule, other))
                .findFirst();
    }

    private static boolean contradict(Rule one, Rule other) {
        return Consistency.excluded(one.condition(), necessary(other))
                || Consistency.excluded(other.condition(), necessary(one));
    }

    private static Collection<Comparison> necessary(Rule rule) {
        return Consistency.necessary(rule.condition()).toList();
    }

    private static InvalidRuleException refused(Rule rule, String message) {
        return new InvalidRuleException(rule.name(), 1, 1, message);
    }
}
