// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.analysis;

import io.redliner.analyzer.run.WindowResult;
import io.redliner.benchmarks.lab.traffic.Fleet;

/** Hears every analysis. */
@FunctionalInterface
public interface Trace {

    /** Nobody listens. */
    Trace NONE = (fleet, analysis) -> {};

    void heard(Fleet fleet, WindowResult analysis);
}
