// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the answer of a search can be one. Anybody with access to the topic of verdicts may have written it, and a
 * capacity that nobody measured is worse than none.
 */
public final class VerdictPlausibility {

    /** A capacity lies near loads that were tested; it is above the highest one by the error of the search at most. */
    private static final double MAX_EXTRAPOLATION = 2;

    private static final String WHO_WRITES = ": it is not believed. Find out who writes to the topic of verdicts";

    private VerdictPlausibility() {}

    /**
     * The verdict itself, or one that gives up: an answer that names a rule which the plan does not have, comes without a check
     * of the run, or lies far above every load that was measured, is not the analyzer's.
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

    private static boolean answers(WindowVerdict verdict) {
        return verdict.advice().action() == SearchAdvice.Action.DONE
                || verdict.advice().action() == SearchAdvice.Action.EXHAUSTED;
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
        double load = highestLoad == null ? verdict.sut().requestsPerSecond() : highestLoad;
        return estimate != null && estimate.capacity() > MAX_EXTRAPOLATION * load
                ? Optional.of("a verdict says that the capacity is " + NumberText.rate(estimate.capacity())
                        + ", and the highest load that was measured is " + NumberText.rate(load))
                : Optional.empty();
    }

    private static WindowVerdict givingUp(WindowVerdict verdict, String objection) {
        SearchAdvice advice = verdict.advice();
        return verdict.with(new SearchAdvice(SearchAdvice.Action.GIVE_UP, 0, advice.phase(), objection + WHO_WRITES,
                advice.step()), null);
    }
}
