// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.diagnosis;

import io.redliner.analyzer.evidence.Gauge;
import java.util.ArrayList;
import java.util.List;

/**
 * A resource looked at by itself.
 *
 * @param strength 0 to 1: how much it looks like the limit when nothing else is looked at
 */
record Suspect(Resource resource, double strength, String words, List<Figure> figures) {

    Suspect {
        if (!(strength >= 0 && strength <= 1)) {
            throw new IllegalArgumentException(resource + " has a strength of " + strength);
        }
        figures = List.copyOf(figures);
    }

    Suspect weakened(double factor) {
        return new Suspect(resource, strength * factor, words, figures);
    }

    Suspect with(List<Figure> more) {
        var all = new ArrayList<>(figures);
        all.addAll(more);
        return new Suspect(resource, strength, words, all);
    }

    static Figure figure(Gauge gauge, double value) {
        return new Figure(gauge.gaugeName(), value, gauge.unit());
    }

    /** 0 up to a value, 1 from another on, and a straight line between them. */
    static double rise(double value, double from, double to) {
        return Double.isNaN(value) ? 0 : Math.clamp((value - from) / (to - from), 0, 1);
    }
}
