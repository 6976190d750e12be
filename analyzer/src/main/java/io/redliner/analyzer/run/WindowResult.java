// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evaluation.WindowEvaluation;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.windowing.ServiceWindow;

/**
 * The result of one window of a run.
 *
 * @param sequence 1 for the first window of the run, then one more each
 * @param serviceRequestsPerSecond requests/s of the whole service that the lease addresses, smoothed over the last windows
 * @param conclusion bottlenecks and validity at the end of the search; empty while the search goes on
 */
public record WindowResult(RunContext run, long sequence, ServiceWindow window, WindowEvaluation judged,
        SearchAdvice advice,
        double serviceRequestsPerSecond, RunDiagnosis conclusion) {}
