// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells whether conditions can hold at all, without anything measured. What it calls impossible is; it does not find
 * everything that is, since it knows nothing of how arithmetic on several names hangs together.
 */
final class Consistency {

    private Consistency() {}

    /** Whether there is nothing that could be measured for it to hold. */
    static boolean neverHolds(Condition condition) {
        return alternatives(condition).stream().allMatch(Consistency::impossible);
    }

    /** Whether there is nothing that could be measured for it not to hold. */
    static boolean alwaysHolds(Condition condition) {
        return neverHolds(condition.negated());
    }

    /** The comparisons that hold whenever the condition does: those that no {@code ||} is around. */
    static Stream<Comparison> necessary(Condition condition) {
        return switch (condition) {
            case Comparison comparison -> Stream.of(comparison);
            case Condition.All(Condition left, Condition right) -> Stream.concat(necessary(left), necessary(right));
            case Condition.Any any -> Stream.empty();
        };
    }

    /** Whether the condition cannot hold together with all of these. */
    static boolean excluded(Condition condition, Collection<Comparison> others) {
        return alternatives(condition).stream().allMatch(alternative -> alternative.stream()
                .anyMatch(one -> others.stream().anyMatch(other -> exclude(one, other))));
    }

    /** Why a comparison alone holds or breaks whatever is measured, for people. */
    static String reason(Comparison comparison) {
        String left = text(comparison.value());
        String right = text(comparison.threshold());
        if (comparison.threshold() instanceof Operand.Constant(double limit)) {
            var range = Range.of(comparison.value());
            if (range.low() >= limit) {
                return left + " is never below " + number(range.low());
            }
            if (range.high() <= limit) {
                return left + " is never above " + number(range.high());
            }
        }
        if (comparison.value().equals(comparison.threshold())) {
            return "both sides are the same";
        }
        if (atMost(comparison.value(), comparison.threshold())) {
            return left + " is never above " + right;
        }
        return atMost(comparison.threshold(), comparison.value())
                ? left + " is never below " + right
                : "one side is always the larger one";
    }

    /** In the disjunctive normal form: of these, one must hold whole. At most 3^5 or so of 16 comparisons. */
    private static List<List<Comparison>> alternatives(Condition condition) {
        return switch (condition) {
            case Comparison comparison -> List.of(List.of(comparison));
            case Condition.Any(Condition left, Condition right) ->
                Stream.concat(alternatives(left).stream(), alternatives(right).stream()).toList();
            case Condition.All(Condition left, Condition right) -> {
                var both = new ArrayList<List<Comparison>>();
                var ofRight = alternatives(right);
                alternatives(left).forEach(one -> ofRight
                        .forEach(other -> both.add(Stream.concat(one.stream(), other.stream()).toList())));
                yield both;
            }
        };
    }

    private static boolean impossible(List<Comparison> together) {
        return together.stream().anyMatch(one -> impossible(one) || together.stream().anyMatch(it -> exclude(one, it)));
    }

    private static boolean impossible(Comparison comparison) {
        var value = Range.of(comparison.value());
        var threshold = Range.of(comparison.threshold());
        boolean atMost = comparison.direction() == Comparison.Direction.AT_MOST;
        double least = atMost ? value.low() : threshold.low();
        double most = atMost ? threshold.high() : value.high();
        var lesser = atMost ? comparison.threshold() : comparison.value();
        var greater = atMost ? comparison.value() : comparison.threshold();
        return beyond(least, most, comparison.strict()) || (comparison.strict() && atMost(lesser, greater));
    }

    private static boolean exclude(Comparison one, Comparison other) {
        return demandsMore(one, other) || demandsMore(other, one);
    }

    /** Whether one demands more of something than the other lets it, or something that is never smaller, have. */
    private static boolean demandsMore(Comparison one, Comparison other) {
        return one.direction() == Comparison.Direction.AT_LEAST && other.direction() == Comparison.Direction.AT_MOST
                && atMost(one.value(), other.value()) && apart(one, other);
    }

    private static boolean apart(Comparison atLeast, Comparison atMost) {
        boolean strict = atLeast.strict() || atMost.strict();
        if (atLeast.threshold() instanceof Operand.Constant(double least)
                && atMost.threshold() instanceof Operand.Constant(double most)) {
            return beyond(least, most, strict);
        }
        return strict && atLeast.threshold().equals(atMost.threshold());
    }

    private static boolean beyond(double least, double most, boolean strict) {
        return least > most || (strict && least == most);
    }

    /** Whether, of the same requests, the lesser can never be the larger one. */
    private static boolean atMost(Operand lesser, Operand greater) {
        if (lesser.equals(greater)) {
            return true;
        }
        return lesser instanceof Operand.Name(Scope lesserScope, Metric lesserMetric)
                && greater instanceof Operand.Name(Scope greaterScope, Metric greaterMetric)
                && lesserScope == greaterScope && lesserMetric.neverAbove(greaterMetric);
    }

    private static String text(Operand operand) {
        return switch (operand) {
            case Operand.Name name -> name.text();
            case Operand.Constant(double number) -> number(number);
            case Operand.Custom custom -> "the gauge";
            case Operand.Arithmetic arithmetic -> "the calculated side";
        };
    }

    private static String number(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
