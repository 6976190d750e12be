// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import java.util.List;

/**
 * A resource that may have ended the run.
 *
 * @param strength 0 to 1: how clearly the measurements show that the resource was full at the peak and empty at rest. It orders
 *            findings and is no probability
 * @param message for people: the measurements, and the evidence against the resource
 * @param figures behind the finding; names of those at the natural load end in {@code .rest}
 */
public record BottleneckFinding(BottleneckKind resource, double strength, String message, List<NamedValue> figures) {

    public BottleneckFinding {
        if (!(strength >= 0 && strength <= 1)) {
            throw new IllegalArgumentException(resource + " has a strength of " + strength);
        }
        figures = List.copyOf(figures);
    }
}
