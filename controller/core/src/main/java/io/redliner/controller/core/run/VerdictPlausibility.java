// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.plan.NumberText;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the answer of a search is possible. Anybody with access to the topic of verdicts may have written it, and a
 * forged capacity is worse than none.
 */
public final class VerdictPlausibility {

    /** Largest ratio of a capacity to the highest load that was measured: only the error of the search lies between them. */
    private static final double MAX_EXTRAPOLATION = 2;

    private static final String WHO_WRITES = ": it is not believed. Find out who writes to the topic of verdicts";

    /** Requests/s that no service reaches. */
    private static final double MAX_RATE = 1e12;

    private VerdictPlausibility() {}

    /**
     * Returns the verdict, or one that gives up. An answer that names a rule which the plan does not have, comes without a
     * check of the run, or lies far above every load that was measured, is not the analyzer's. Nor is one whose ends are
     * not around it, or that comes with a window in which the SUT got more than its service.
     *
     * @param rules of the run
     * @param highestLoad requests/s at the SUT in the busiest window before; null when no window was seen, as after a takeover: then
     *            the window that the answer comes with has to do
     */
    public static WindowVerdict believed(WindowVerdict verdict, RunRules rules, @Nullable Double highestLoad) {
        return answers(verdict)
                ? objection(verdict, rules, highestLoad).map(objection -> givingUp(verdict, objection)).orElse(verdict)
                : verdict;
    }

    /**
     * Returns the verdict, without a combined capacity that cannot be made of its estimate and of what is known.
     *
     * @param known what the run builds on; absent when it builds on nothing
     */
    public static WindowVerdict buildingOn(@Nullable KnownCapacity known, WindowVerdict verdict) {
        CapacityEstimate estimate = verdict.estimate();
        return estimate == null || estimate.combined() == null
                ? verdict
                : verdict.with(verdict.advice(), estimate.believed(known));
    }

    /**
     * Returns true when the verdict ends the search with an estimate. A search that gave up may have one, too: the load
     * that held.
     */
    private static boolean answers(WindowVerdict verdict) {
        return switch (verdict.advice().action()) {
            case DONE, EXHAUSTED -> true;
            case GIVE_UP -> verdict.estimate() != null;
            case HOLD, GO, SHED, NONE -> false;
        };
    }

    private static Optional<String> objection(WindowVerdict verdict, RunRules rules, @Nullable Double highestLoad) {
        CapacityEstimate estimate = verdict.estimate();
        String limiting = estimate == null ? "" : estimate.limitingRule();
        if (!limiting.isEmpty() && Stream.concat(rules.sla().stream(), rules.guards().stream())
                .noneMatch(rule -> rule.name().equals(limiting))) {
            return Optional.of("a verdict says that rule '" + limiting + "' limits, which the plan does not have");
        }
        if (verdict.conclusion() == null) {
            return Optional.of("a verdict ends the search without a check of the run");
        }
        return estimate == null
                ? Optional.empty()
                : impossibleLoad(verdict).or(
                        () -> farAbove(estimate, highestLoad == null ? verdict.sut().requestsPerSecond() : highestLoad))
                        .or(() -> impossibleEnds(verdict, estimate));
    }

    private static Optional<String> impossibleLoad(WindowVerdict verdict) {
        double load = verdict.sut().requestsPerSecond();
        return !verdict.rateKnown() || MeasuredLoad.possible(load, verdict.serviceRequestsPerSecond())
                ? Optional.empty()
                : Optional.of("a verdict says that the SUT got " + NumberText.rate(load) + ", and its whole service "
                        + NumberText.rate(verdict.serviceRequestsPerSecond()));
    }

    /**
     * Returns the objection to an interval that does not hold its capacity. The upper end of a load that held may be unknown, and
     * is then 0.
     */
    private static Optional<String> impossibleEnds(WindowVerdict verdict, CapacityEstimate estimate) {
        boolean open = estimate.high() == 0 && verdict.advice().action() != SearchAdvice.Action.DONE;
        boolean around = estimate.low() >= 0 && estimate.low() <= estimate.capacity()
                && (open || estimate.capacity() <= estimate.high()) && estimate.high() < MAX_RATE;
        return around
                ? Optional.empty()
                : Optional.of("a verdict says that the capacity is " + NumberText.rate(estimate.capacity())
                        + ", and that it lies between " + NumberText.rate(estimate.low()) + " and "
                        + NumberText.rate(estimate.high()));
    }

    private static Optional<String> farAbove(CapacityEstimate estimate, double highestLoad) {
        double limit = MAX_EXTRAPOLATION * highestLoad;
        if (estimate.capacity() > limit) {
            return Optional.of("a verdict says that the capacity is " + NumberText.rate(estimate.capacity())
                    + measured(highestLoad));
        }
        return DoubleStream.of(estimate.high(), load(estimate.lastGood()), load(estimate.firstBad()))
                .filter(load -> !(load <= limit)).boxed().findFirst()
                .map(load -> "a verdict says that the capacity is " + NumberText.rate(estimate.capacity())
                        + ", speaks of " + NumberText.rate(load) + measured(highestLoad));
    }

    private static double load(@Nullable Double load) {
        return load == null ? 0 : load;
    }

    private static String measured(double highestLoad) {
        return ", and the highest load that was measured is " + NumberText.rate(highestLoad);
    }

    private static WindowVerdict givingUp(WindowVerdict verdict, String objection) {
        SearchAdvice advice = verdict.advice();
        return verdict.with(new SearchAdvice(SearchAdvice.Action.GIVE_UP, 0, advice.phase(), objection + WHO_WRITES,
                advice.step()), null);
    }
}
