// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * The load that the SUT should get next. Either the analyzer's search or the run's own step plan wants it. Bounds, guards, the
 * harm budget and the telemetry watchdog treat both alike.
 *
 * @param requestsPerSecond at the SUT; 0 when it is not known: nobody wants a SUT without a request
 * @param down whether it is asked for because the load was too much: the share is not raised then, whatever the load
 * @param step grows with each other load
 */
record DesiredLoad(double requestsPerSecond, boolean down, SearchAdvice.Phase phase, int step) {

    static DesiredLoad of(SearchAdvice advice) {
        boolean none = advice.action() == SearchAdvice.Action.NONE;
        return new DesiredLoad(none ? 0 : advice.targetRequestsPerSecond(), advice.action() == SearchAdvice.Action.SHED,
                advice.phase(),
                advice.step());
    }

    boolean known() {
        return Double.isFinite(requestsPerSecond) && requestsPerSecond > 0;
    }
}
