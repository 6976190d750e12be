// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.limit.Precision;
import io.redliner.controller.core.series.RegressionForecast;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.ProfileSettings.Regression;
import io.redliner.controller.plan.Ratio;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Notes for the author of a plan about its rules and its precision, which are no mistakes. */
final class PlanNotes {

    private PlanNotes() {}

    /**
     * Returns hints about a plan. A rule about a percentile's level gets a sentence with the equivalent rule about the part of slow
     * requests, where there is one. A plan with a precision gets a sentence on how long that may take, and a comparison of capacities
     * one on what it will find.
     */
    static List<String> of(Plan plan) {
        return Stream.concat(
                plan.sla().stream().filter(rule -> !rule.informational() && !rule.counted()).map(PlanNotes::level),
                Stream.concat(Stream.ofNullable(plan.limits().precision()).map(PlanNotes::precision),
                        plan.settings() instanceof Regression regression
                                && regression.compare() == Regression.Compare.CAPACITY
                                        ? Stream.of(RegressionForecast.of(regression, plan.limits()))
                                        : Stream.empty()))
                .toList();
    }

    private static String precision(Precision precision) {
        double lengthening = precision.lengthening();
        String wanted = "precision " + Ratio.of(precision.halfWidth());
        Duration confirming = Duration.ofSeconds(Math.round(lengthening * Precision.USUAL_CONFIRM_TIME.toSeconds()));
        return lengthening > 1
                ? String.format(Locale.ROOT,
                        "%s may hold the load at the knee %.1f times as long as without it: for %s from"
                                + " 100 requests/s of the SUT on, longer with fewer. The harm budget bounds what it harms",
                        wanted, lengthening,
                        DurationText.write(confirming))
                : wanted + " may end the search sooner than without it, with a wider interval";
    }

    private static String level(Rule rule) {
        return "rule '" + rule.name() + "' (" + rule.expression() + ") cannot be judged by counting requests:"
                + " it is a level, which a window keeps or breaks as a whole, and all requests of a window in which"
                + " the SUT alone breaks it are harm. " + rule.countedForm()
                        .map(counted -> "To have requests counted, write it as " + counted)
                        .orElse("A limit on a percentile or on an error ratio is found with less harm");
    }
}
