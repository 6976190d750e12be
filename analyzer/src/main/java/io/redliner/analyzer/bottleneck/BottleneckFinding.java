// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import java.util.List;

/**
 * One resource that may have ended the run.
 *
 * @param confidence 0 to 1: how full the resource was, and how little any other
 * @param words one sentence for people, with the figures
 * @param figures that it is made from
 */
public record BottleneckFinding(BottleneckKind resource, double confidence, String words, List<NamedValue> figures) {

    public BottleneckFinding {
        if (!(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException(resource + " has a confidence of " + confidence);
        }
        figures = List.copyOf(figures);
    }
}
