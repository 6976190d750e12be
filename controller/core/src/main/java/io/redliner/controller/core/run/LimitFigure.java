// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.PlanLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a plan with what it allows, in numbers, for its author.
 *
 * @param limit name of the field, as in the plan
 * @param text one or two sentences
 */
public record LimitFigure(String limit, String text) {

    /** Figures without a known traffic are for this many requests/s. */
    private static final double ASSUMED_RATE = 1000;

    /** Steps that are listed at most. */
    private static final int MAX_STEPS = 6;

    /** The time without a window after which telemetry is lost, beside two windows; see {@link PlanLimits}. */
    private static final Duration SILENCE = Duration.ofMillis(1500);

    /**
     * Returns the figures of all limits.
     *
     * @param natural natural share of the SUT; absent when it is not known
     * @param requestsPerSecond the highest known traffic of the service; absent when none is known
     */
    public static List<LimitFigure> of(PlanLimits limits, @Nullable Share natural, @Nullable Double requestsPerSecond) {
        double seconds = limits.maxDuration().toMillis() / 1000.0;
        double budget = limits.harmBudget().asDouble();
        double rate = requestsPerSecond == null ? ASSUMED_RATE : requestsPerSecond;
        String service = requestsPerSecond == null
                ? "each " + NumberText.rate(ASSUMED_RATE) + " of the service"
                : "the service's highest known " + NumberText.rate(rate);
        double share = limits.maxShare().ratio();
        return List.of(
                new LimitFigure("maxShare", "Of " + service + " the SUT gets at most " + NumberText.rate(share * rate)
                        + (natural == null
                                ? ""
                                : ", where " + NumberText.rate(natural.ratio() * rate) + " are natural ("
                                        + NumberText.percent(natural.ratio()) + ")")
                        + "; its peers keep " + NumberText.rate((1 - share) * rate) + " or more."),
                new LimitFigure("maxRaise", raises(limits, natural)),
                new LimitFigure("maxDuration", "Traffic is natural again " + DurationText.spell(seconds)
                        + " after the begin at the latest. That is time for "
                        + count(seconds / (limits.window().toMillis() / 1000.0)) + " windows."),
                new LimitFigure("harmBudget", "Of the " + count(rate * seconds) + " requests that " + service
                        + " make in that time, the test may harm " + count(budget * rate * seconds)
                        + ", less if less is left of the service's month. If all requests of the SUT failed at its largest share, that would take "
                        + DurationText.spell(budget * seconds / share) + "."),
                new LimitFigure("window", "The SLA is judged every " + DurationText.write(limits.window())
                        + ". Lost telemetry is noticed after " + DurationText.write(limits.window().multipliedBy(2)
                                .plus(SILENCE))
                        + "."));
    }

    private static String count(double requests) {
        return BigDecimal.valueOf(Math.round(requests)).toPlainString();
    }

    private static String raises(PlanLimits limits, @Nullable Share natural) {
        double factor = limits.maxRaise().asDouble();
        double highest = limits.maxShare().ratio();
        if (natural == null || natural.ppm() == 0) {
            return "A share is at most " + NumberText.round(factor) + " times the one before.";
        }
        if (natural.ratio() >= highest) {
            return "The natural share of " + NumberText.percent(natural.ratio())
                    + " is not below the largest: there is nothing to raise.";
        }
        double[] steps = DoubleStream.iterate(natural.ratio() * factor, step -> step * factor)
                .limit(MAX_STEPS).map(step -> Math.min(step, highest)).toArray();
        String listed = DoubleStream.of(steps).distinct().mapToObj(NumberText::percent)
                .collect(Collectors.joining(", "));
        long least = (long) Math.ceil(Math.log(highest / natural.ratio()) / Math.log(factor) - 1e-9);
        return "From " + NumberText.percent(natural.ratio()) + " to " + NumberText.percent(highest) + " it takes "
                + (least == 1 ? "1 raise" : least + " raises") + " or more: " + listed
                + (least > MAX_STEPS ? " and on." : ".");
    }
}
