// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import java.util.List;
import java.util.stream.Stream;

/**
 * A resource that may have limited the run, rated independently of the others.
 *
 * @param strength 0 to 1: how clearly the measurements show that the resource was full at the peak and empty at rest. It orders
 *            candidates and is no probability
 * @param message the measurements, for people
 * @param against clauses, each with evidence against the resource
 */
record BottleneckCandidate(BottleneckKind kind, double strength, String message, List<NamedValue> figures,
        List<String> against) {

    BottleneckCandidate {
        if (!(strength >= 0 && strength <= 1)) {
            throw new IllegalArgumentException(kind + " has a strength of " + strength);
        }
        figures = List.copyOf(figures);
        against = List.copyOf(against);
    }

    BottleneckCandidate weakened(double factor, String because) {
        return factor == 1
                ? this
                : new BottleneckCandidate(kind, strength * factor, message, figures,
                        Stream.concat(against.stream(), Stream.of(because)).toList());
    }

    /** Returns the stronger of two candidates of one kind, with the figures of both. */
    BottleneckCandidate or(BottleneckCandidate other) {
        if (other.strength > strength) {
            return other.or(this);
        }
        return new BottleneckCandidate(kind, strength, message,
                Stream.of(figures, other.figures).flatMap(List::stream).distinct().toList(), against);
    }

    /** Returns 0 up to {@code from}, 1 from {@code to} on, and a straight line between them; 0 for NaN. */
    static double rise(double value, double from, double to) {
        return Double.isNaN(value) ? 0 : Math.clamp((value - from) / (to - from), 0, 1);
    }
}
