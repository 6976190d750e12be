// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.windowing.WindowingState;
import java.util.OptionalDouble;

/**
 * The stored state of a service with a run, without the observations of its open windows.
 *
 * @param windows how far they are judged
 * @param judgedFromMillis start of the first window that verdicts are about
 * @param smoothedRate requests/s of the service that a lease speaks of; empty while none is known
 * @param run where its analysis is
 */
public record ServiceAnalysisState(WindowingState windows, long judgedFromMillis, OptionalDouble smoothedRate,
        RunAnalysisState run) {}
