// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import org.jspecify.annotations.Nullable;

/**
 * The load that the SUT should get next, as the analyzer's search or the run's own step plan wants it. Bounds, guards, the
 * harm budget and the telemetry watchdog treat both alike.
 *
 * @param requestsPerSecond at the SUT; 0 when it is not known: no search and no plan wants a SUT without requests
 * @param down true when the last load was too high: the share is then not raised, whatever this load is
 * @param step number of the step; a new load begins a new step
 * @param progress of the step plan; absent before its first window, and in a search
 * @param end of the step plan or the search; absent while it goes on
 */
record DesiredLoad(double requestsPerSecond, boolean down, SearchAdvice.Phase phase, int step,
        @Nullable StepPlanProgress progress, @Nullable RunEnd end) {

    static DesiredLoad of(SearchAdvice advice, @Nullable RunEnd end) {
        boolean none = advice.action() == SearchAdvice.Action.NONE;
        return new DesiredLoad(none ? 0 : advice.targetRequestsPerSecond(), advice.action() == SearchAdvice.Action.SHED,
                advice.phase(), advice.step(), null, end);
    }

    boolean known() {
        return Double.isFinite(requestsPerSecond) && requestsPerSecond > 0;
    }
}
