// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import org.jspecify.annotations.Nullable;

/**
 * Cost of a run to its users, in whole requests: the one source of pages, the command line, reports, notifications and the
 * service's budget of the month.
 *
 * @param requests harmed by the test, see {@link Harm}
 * @param allowed by the budget; absent when the service's rate never became known
 * @param anyway requests that would have broken the SLA in any case; absent when no window was judged
 */
public record HarmDone(double requests, @Nullable Double allowed, @Nullable Double anyway) {

    static final HarmDone NONE = new HarmDone(0, null, null);

    /** A cost with an unknown number of requests that would have broken the SLA in any case. */
    public HarmDone(double requests, @Nullable Double allowed) {
        this(requests, allowed, null);
    }

    /** Requests harmed by the test, rounded up. */
    public long byTest() {
        return (long) Math.ceil(requests);
    }

    /** Requests harmed anyway; absent when it is not known. */
    public @Nullable Long byItself() {
        return anyway == null ? null : Math.round(anyway);
    }

    /** Whole requests that the budget allows; absent when the service's rate never became known. */
    public @Nullable Long budget() {
        return allowed == null ? null : (long) Math.floor(allowed);
    }

    /** Returns the part of the budget that was used; absent without a budget. */
    public @Nullable Double used() {
        return allowed == null || allowed == 0 ? null : requests / allowed;
    }

    /** Returns true when the test harmed no more requests than allowed. An unknown budget allows none. */
    boolean within() {
        return requests <= (allowed == null ? 0 : allowed);
    }
}
