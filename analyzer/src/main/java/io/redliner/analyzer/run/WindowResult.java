// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evaluation.WindowEvaluation;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.windowing.ServiceWindow;

/**
 * A judged window of a run with the search's advice for the next one: everything that the window's verdict is encoded from.
 *
 * @param sequence 1 for the first window of the run, then one more for each window
 * @param evaluation the judgement of the SLA and the guards
 * @param advice the load to request next
 * @param serviceRequestsPerSecond rate of those requests of the whole service that the lease addresses, smoothed over the last
 *        windows
 * @param conclusion bottlenecks and validity at the end of the search; empty while the search goes on
 */
public record WindowResult(RunContext run, long sequence, ServiceWindow window, WindowEvaluation evaluation,
        SearchAdvice advice,
        double serviceRequestsPerSecond, RunDiagnosis conclusion) {}
