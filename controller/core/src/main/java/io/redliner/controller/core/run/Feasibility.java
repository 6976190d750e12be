// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.duration.Durations;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Ratio;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a plan's limits let a run move any traffic. It computes with the limits and the natural share as the decisions do: a
 * run that it refuses would end before it raises the share, whatever the service does.
 */
public final class Feasibility {

    /** Time beside two windows that the analyzer takes to answer, before the traffic has to go back. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private static final String LIMITS = "$.spec.limits.";

    private Feasibility() {}

    /** Returns true when a run of the plan needs more than the natural share. A load in requests/s counts as not needing more. */
    public static boolean raises(@Nullable StepPlan steps, Share natural) {
        return lowestShare(steps, natural) > natural.ratio();
    }

    /**
     * Returns the problem with the limits; empty when a run is feasible.
     *
     * @param steps absent when the search is followed
     * @param sut address of the instance
     * @param natural share of the instance
     */
    public static Optional<DocumentProblem.Unlocated> fault(Plan plan, @Nullable StepPlan steps, String sut,
            Share natural,
            RunTimeouts times) {
        return duration(plan.limits(), times).or(() -> harmBudget(plan.limits(), steps, sut, natural));
    }

    private static Optional<DocumentProblem.Unlocated> duration(PlanLimits limits, RunTimeouts times) {
        Duration measured = Durations.longer(times.baseline(),
                limits.window().multipliedBy(StepPlanDecider.BASELINE_WINDOWS));
        Duration answered = limits.window().multipliedBy(2).plus(ANSWER);
        Duration needed = measured.plus(answered).plus(times.leaseTtl());
        return limits.maxDuration().compareTo(needed) >= 0
                ? Optional.empty()
                : Optional.of(new DocumentProblem.Unlocated(LIMITS + "maxDuration", "maxDuration "
                        + DurationText.write(limits.maxDuration()) + " is too short for windows of "
                        + DurationText.write(limits.window()) + ": the natural load takes "
                        + DurationText.write(measured) + " to measure, the answer two windows and 2s, which is "
                        + DurationText.write(answered) + ", and the way back "
                        + DurationText.write(times.leaseTtl()) + ". Write maxDuration: " + DurationText.write(needed)
                        + " or more; a search takes three to four minutes"));
    }

    private static Optional<DocumentProblem.Unlocated> harmBudget(PlanLimits limits, @Nullable StepPlan steps,
            String sut,
            Share natural) {
        double lowestShare = Math.min(lowestShare(steps, natural), limits.maxShare().ratio());
        double affordable = affordableShare(limits.harmBudget(), limits.maxDuration(), limits.window());
        if (lowestShare <= natural.ratio() || affordable >= lowestShare) {
            return Optional.empty();
        }
        boolean goal = steps instanceof StepPlan.Hold || steps instanceof StepPlan.Overload;
        Share wanted = goal ? Share.ofRatio(lowestShare) : limits.maxShare();
        Duration risk = Harm.shortestRisk(limits.window());
        String shorter = shorterWindow(limits, wanted).map(window -> ", or window: " + window).orElse("");
        return Optional.of(new DocumentProblem.Unlocated(LIMITS + "harmBudget", "harmBudget " + limits.harmBudget()
                + " of the requests"
                + " in maxDuration " + DurationText.write(limits.maxDuration()) + " lets the SUT have at most "
                + Share.ofRatio(affordable) + " of the traffic: with windows of " + DurationText.write(limits.window())
                + ", all that it gets in " + DurationText.write(risk) + " can be harmed before a decision is in force. "
                + sut + " has " + natural + " without a test" + (goal ? ", and the plan wants " + wanted : "")
                + ". Write harmBudget: " + budgetFor(wanted, risk, limits.maxDuration()) + " or more for " + wanted
                + shorter));
    }

    /** Returns the smallest share that a run has to reach, a ratio; 0 when it is not known. */
    private static double lowestShare(@Nullable StepPlan steps, Share natural) {
        return switch (steps) {
            case null -> aboveNatural(natural);
            case StepPlan.Attribution ignored -> aboveNatural(natural);
            case StepPlan.Staircase staircase -> natural.ratio() * staircase.factor();
            case StepPlan.Hold hold -> share(hold.goal().share());
            case StepPlan.Overload overload -> share(overload.goal().share());
            case StepPlan.Recheck recheck -> share(recheck.goal().share());
        };
    }

    private static double aboveNatural(Share natural) {
        return natural.ratio() + 1.0 / Share.WHOLE_PPM;
    }

    private static double share(@Nullable Share share) {
        return share == null ? 0 : share.ratio();
    }

    /** Returns the share at which one decision puts the whole budget at risk, a ratio. */
    private static double affordableShare(Ratio budget, Duration maxDuration, Duration window) {
        return budget.asDouble() * maxDuration.toMillis() / Harm.shortestRisk(window).toMillis();
    }

    private static Ratio budgetFor(Share share, Duration risk, Duration maxDuration) {
        BigDecimal budget = BigDecimal.valueOf(share.ratio() * risk.toMillis() / maxDuration.toMillis());
        return new Ratio(budget.round(new MathContext(2, RoundingMode.UP)));
    }

    private static Optional<String> shorterWindow(PlanLimits limits, Share wanted) {
        return LongStream.of(500, 250, 100)
                .mapToObj(Duration::ofMillis)
                .filter(window -> window.compareTo(limits.window()) < 0)
                .filter(window -> affordableShare(limits.harmBudget(), limits.maxDuration(), window) >= wanted.ratio())
                .findFirst()
                .map(DurationText::write);
    }
}
