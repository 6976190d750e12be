// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.run.WindowResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;

/** Hears every analysis. */
@FunctionalInterface
public interface AnalysisListener {

    /** Nobody listens. */
    AnalysisListener NONE = (fleet, analysis) -> {};

    void analyzed(ServerFleet fleet, WindowResult analysis);
}
