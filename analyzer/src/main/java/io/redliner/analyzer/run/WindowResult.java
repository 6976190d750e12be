// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evaluation.WindowEvaluation;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.windowing.ServiceWindow;

/**
 * What there is to say about one window of a run.
 *
 * @param sequence 1 for the first window of the run, then one more each
 * @param serviceRequestsPerSecond of the whole service that the lease speaks of, smoothed over the last windows
 * @param conclusion what ended the run and whether it is valid; empty while the search goes on
 */
public record WindowResult(RunContext run, long sequence, ServiceWindow window, WindowEvaluation judged,
        SearchAdvice advice,
        double serviceRequestsPerSecond, RunDiagnosis conclusion) {}
