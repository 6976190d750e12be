// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import java.util.ArrayList;
import java.util.List;

/**
 * A resource looked at by itself.
 *
 * @param strength 0 to 1: how much it looks like the limit when nothing else is looked at
 */
record BottleneckCandidate(BottleneckKind resource, double strength, String words, List<NamedValue> figures) {

    BottleneckCandidate {
        if (!(strength >= 0 && strength <= 1)) {
            throw new IllegalArgumentException(resource + " has a strength of " + strength);
        }
        figures = List.copyOf(figures);
    }

    BottleneckCandidate weakened(double factor) {
        return new BottleneckCandidate(resource, strength * factor, words, figures);
    }

    BottleneckCandidate with(List<NamedValue> more) {
        var all = new ArrayList<>(figures);
        all.addAll(more);
        return new BottleneckCandidate(resource, strength, words, all);
    }

    static NamedValue figure(KnownGauge gauge, double value) {
        return new NamedValue(gauge.gaugeName(), value, gauge.unit());
    }

    /** 0 up to a value, 1 from another on, and a straight line between them. */
    static double rise(double value, double from, double to) {
        return Double.isNaN(value) ? 0 : Math.clamp((value - from) / (to - from), 0, 1);
    }
}
