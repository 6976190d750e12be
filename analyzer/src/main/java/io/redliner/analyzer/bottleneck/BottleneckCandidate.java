// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import java.util.List;
import java.util.stream.Stream;

/**
 * A resource looked at by itself.
 *
 * @param strength 0 to 1: how clearly the measurements say that it was full, and empty at rest; for the order, no
 *            probability
 * @param words what was measured
 * @param against what speaks against it, in clauses
 */
record BottleneckCandidate(BottleneckKind kind, double strength, String words, List<NamedValue> figures,
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
                : new BottleneckCandidate(kind, strength * factor, words, figures,
                        Stream.concat(against.stream(), Stream.of(because)).toList());
    }

    /** The stronger of two of one kind, with the figures of both. */
    BottleneckCandidate or(BottleneckCandidate other) {
        if (other.strength > strength) {
            return other.or(this);
        }
        return new BottleneckCandidate(kind, strength, words,
                Stream.of(figures, other.figures).flatMap(List::stream).distinct().toList(), against);
    }

    /** 0 up to a value, 1 from another on, and a straight line between them. */
    static double rise(double value, double from, double to) {
        return Double.isNaN(value) ? 0 : Math.clamp((value - from) / (to - from), 0, 1);
    }
}
