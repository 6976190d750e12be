// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the requests that exceeds the limit that binds most, over the load. Loads are requests/s and ascending, parts are
 * ratios.
 *
 * @param rule of the limit, by name
 * @param latencyLimitSeconds that a request may take; absent for other limits
 * @param allowedRatio of the requests that may exceed the limit; 0 for a limit that is not on a part of the requests
 * @param loads that were tried; neighbours are summed
 * @param fit points of the curve that the search fitted; empty when it fitted none
 * @param shownPart part of a lasting load's exceedances that the steps of a search show
 * @param unfitted why no curve was fitted; empty when one was
 */
public record ExceedanceCurve(String rule, @Nullable Double latencyLimitSeconds, double allowedRatio,
        List<LoadGroup> loads, List<FittedPoint> fit, double shownPart, String unfitted) {

    /**
     * Exceedances of neighbouring loads.
     *
     * @param censored true when alarms cut these steps off; whole ones would have had at least as many exceedances
     */
    public record LoadGroup(double requestsPerSecond, long steps, long requests, long exceeding, boolean censored) {}

    /**
     * A point of the fitted curve, for a load that lasts.
     *
     * @param ratio median
     * @param low end of its 95 % interval
     * @param high end of that interval
     */
    public record FittedPoint(double requestsPerSecond, double ratio, double low, double high) {}

    public ExceedanceCurve {
        loads = List.copyOf(loads);
        fit = List.copyOf(fit);
    }
}
