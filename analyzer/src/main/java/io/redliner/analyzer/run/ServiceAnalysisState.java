// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.windowing.WindowingState;
import java.util.OptionalDouble;

/**
 * The stored state of a service with a run, without the observations of its open windows.
 *
 * @param windows state of the windows
 * @param judgedFromMillis start of the first window that gets a verdict, in ms since the epoch
 * @param smoothedRate requests/s of the service that a lease addresses; empty while unknown
 * @param run state of the run's analysis
 */
public record ServiceAnalysisState(WindowingState windows, long judgedFromMillis, OptionalDouble smoothedRate,
        RunAnalysisState run) {}
