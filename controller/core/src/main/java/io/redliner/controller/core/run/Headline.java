// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Profile;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run in one sentence without a full stop: for the API, its pages, reports and notifications, and the
 * command line. It agrees with the {@link ExitCode}.
 */
public final class Headline {

    /** The answers of a recheck. Their detail starts with the answer, and figures follow after a semicolon. */
    private static final Set<StopCode> RECHECKED = Set.of(StopCode.AS_BEFORE, StopCode.MOVED, StopCode.MOVE_UNKNOWN);

    private Headline() {}

    /** Returns the headline of a run; empty while the run goes on. */
    public static Optional<String> of(RunState state) {
        return state instanceof RunState.Finished finished
                ? Optional.of(of(finished.facts(), finished.ending()))
                : Optional.empty();
    }

    /** Returns the headline of a run with this end. */
    public static String of(RunFacts facts, RunEnd ending) {
        Optional<CapacityEstimate> capacity = ending.capacity()
                .filter(found -> ExitCode.of(ending, facts.profile()) == ExitCode.ANSWERED);
        if (capacity.isPresent()) {
            return "Capacity of " + facts.sut() + " of " + facts.service() + ": "
                    + interval(capacity.get(), ending.lowerBound()) + limit(capacity.get())
                    + ending.certainty().suffix() + ending.combined().map(Headline::combined).orElse("");
        }
        if (facts.profile() instanceof StepPlan.Recheck && RECHECKED.contains(ending.reason().code())) {
            String detail = ending.reason().detail();
            int figures = detail.indexOf(';');
            return "Recheck of " + facts.sut() + " of " + facts.service() + ": "
                    + (figures < 0 ? detail : detail.substring(0, figures));
        }
        String test = "The " + profile(facts.profile()) + " test of " + facts.sut() + " of " + facts.service();
        return switch (ending.outcome()) {
            case PASSED -> test + " passed";
            case THRESHOLD_FAILED -> test + " failed its threshold";
            case ABORTED -> test + (ExitCode.ofAborted(ending.reason().code()) == ExitCode.THRESHOLD_FAILED
                    ? " was ended by a guard of its plan"
                    : " was aborted");
            case FAILED -> test + " could not be carried out";
            case CAPACITY_FOUND, TRAFFIC_EXHAUSTED, INCONCLUSIVE -> test + " gives no answer" + ending.posterior()
                    .map(posterior -> "; believed was " + interval(posterior, posterior.high() <= 0))
                    .orElse("");
        };
    }

    private static String profile(@Nullable StepPlan plan) {
        return (plan == null ? Profile.CAPACITY : plan.profile()).name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String interval(CapacityEstimate estimate, boolean lowerBound) {
        return lowerBound
                ? "at least " + NumberText.rate(estimate.low())
                : NumberText.rate(estimate.capacity()) + interval(estimate.low(), estimate.high());
    }

    private static String interval(double low, double high) {
        return " (" + NumberText.round(low) + " to " + (high > 0 ? NumberText.round(high) : "unknown") + ")";
    }

    private static String combined(KnownCapacity both) {
        return "; of " + both.runs() + " runs together: " + NumberText.round(both.capacity())
                + interval(both.low(), both.high());
    }

    private static String limit(CapacityEstimate estimate) {
        return estimate.limitingRule().isEmpty() ? "" : ", limited by " + estimate.limitingRule();
    }
}
