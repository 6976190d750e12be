// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import java.util.List;

/**
 * One resource that may have ended the run.
 *
 * @param strength 0 to 1: how clearly the measurements say that it was full, and empty at rest; for the order, no
 *            probability
 * @param words for people: what was measured, and what speaks against it
 * @param figures that it is made from, those at the natural load with {@code .rest}
 */
public record BottleneckFinding(BottleneckKind resource, double strength, String words, List<NamedValue> figures) {

    public BottleneckFinding {
        if (!(strength >= 0 && strength <= 1)) {
            throw new IllegalArgumentException(resource + " has a strength of " + strength);
        }
        figures = List.copyOf(figures);
    }
}
