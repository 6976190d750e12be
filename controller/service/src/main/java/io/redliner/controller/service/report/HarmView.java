// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.plan.NumberText;
import org.jspecify.annotations.Nullable;

/**
 * Cost of a run to its users, in whole requests.
 *
 * @param requests harmed by the test: they broke the SLA because traffic was moved
 * @param allowed by the budget; absent when the service's rate never became known
 * @param used the part of the budget that the test used; absent without a budget
 * @param anyway requests that would have broken the SLA in any case; absent when that is not known
 */
public record HarmView(long requests, @Nullable Long allowed, @Nullable Double used, @Nullable Long anyway) {

    /** Cost for people and programs. */
    public static HarmView of(HarmDone harm) {
        return new HarmView(harm.byTest(), harm.budget(), harm.used(), harm.byItself());
    }

    /** Text of the requests that the test harmed. */
    public String byTest() {
        return NumberText.brief((double) requests) + " requests, " + NumberText.percent(used) + " of the budget";
    }

    /** Text of the requests that were harmed anyway. */
    public String byItself() {
        return anyway == null ? NumberText.UNKNOWN : NumberText.brief((double) anyway) + " requests";
    }
}
