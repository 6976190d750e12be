// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates the step plan for one instance from a plan's settings, if the plan's limits allow it. */
public final class StepPlanFactory {

    private StepPlanFactory() {}

    /** A known capacity, and what was measured when it was found. */
    public record Recheckable(KnownCapacity capacity, LoadProfile profile) {}

    /**
     * Returns the step plan; empty for a capacity run.
     *
     * @param natural share of the instance
     * @param capacityAtLeast lower end of the interval of the last known capacity, requests/s; absent when none is known
     * @param recheckable the capacity that a recheck compares with; absent when none is comparable
     * @throws RunRejectedException when the limits do not allow the load, or when it is relative to an unknown capacity
     */
    public static Optional<StepPlan> of(Plan plan, Share natural, @Nullable Double capacityAtLeast,
            @Nullable Recheckable recheckable) {
        ProfileSettings settings = plan.settings();
        if (settings == null) {
            return plan.profile() == Profile.BOTTLENECK ? Optional.of(new StepPlan.Attribution()) : Optional.empty();
        }
        LoadGoal goal = goal(plan, natural, settings.target(), capacityAtLeast);
        return Optional.of(switch (settings) {
            case ProfileSettings.Smoke smoke -> new StepPlan.Hold(Profile.SMOKE, goal, Duration.ZERO, smoke.hold(),
                    null);
            case ProfileSettings.Load load -> new StepPlan.Hold(Profile.LOAD, goal, load.ramp(), load.hold(), null);
            case ProfileSettings.Stress stress -> new StepPlan.Overload(Profile.STRESS, goal, stress.ramp(),
                    stress.hold(), stress.recovery());
            case ProfileSettings.Spike spike -> new StepPlan.Overload(Profile.SPIKE, leap(plan, natural, goal, spike),
                    Duration.ZERO, spike.hold(), spike.recovery());
            case ProfileSettings.Endurance endurance -> new StepPlan.Hold(Profile.ENDURANCE, goal, endurance.ramp(),
                    endurance.hold(), new StepPlan.Hold.Drift(endurance.drift().asDouble(), tightestLimit(plan)));
            case ProfileSettings.Breakpoint breakpoint -> new StepPlan.Staircase(breakpoint.step().asDouble(),
                    breakpoint.dwell(), breakpoint.until().stream().map(Rule::name).toList());
            case ProfileSettings.Recheck recheck -> recheck(recheck, recheckable);
            case ProfileSettings.Scalability series -> throw new IllegalArgumentException(
                    "is a series of runs: " + series);
            case ProfileSettings.Regression series -> throw new IllegalArgumentException(
                    "is a series of runs: " + series);
        });
    }

    private static StepPlan recheck(ProfileSettings.Recheck recheck, @Nullable Recheckable known) {
        if (known == null) {
            throw new RunRejectedException(RejectionReason.NO_CAPACITY_KNOWN,
                    "there is nothing to compare with: no capacity was found in the last 30 days, at this time of the day,"
                            + " by a plan with the same SLA and redirect on this version and hardware, without a doubt and"
                            + " with its windows kept. Report the version of the instance, and run profile capacity first",
                    "$.spec.profile", List.of());
        }
        return StepPlan.Recheck.of(recheck.hold(), known.capacity(), known.profile());
    }

    /** Returns the tightest latency limit of the SLA's rules, in seconds; null without one. */
    private static @Nullable Double tightestLimit(Plan plan) {
        return plan.sla().stream()
                .filter(rule -> !rule.informational())
                .flatMap(rule -> rule.latencyLimits().stream())
                .min(Duration::compareTo)
                .map(limit -> limit.toNanos() / 1e9)
                .orElse(null);
    }

    private static LoadGoal goal(Plan plan, Share natural, @Nullable LoadTarget target,
            @Nullable Double capacityAtLeast) {
        if (target == null) {
            return LoadGoal.ofShare(natural);
        }
        return switch (target.kind()) {
            case TARGET -> LoadGoal.ofRate(target.asDouble());
            case SHARE -> within(plan, target, target.asDouble());
            case FACTOR -> within(plan, target, natural.ratio() * target.asDouble());
            case CAPACITY -> {
                if (capacityAtLeast == null) {
                    throw new RunRejectedException(RejectionReason.NO_CAPACITY_KNOWN,
                            "no capacity of the instance is known" + " yet, so there is no " + target
                                    + " of it: run profile capacity first, or say a target",
                            field(plan, target), List.of());
                }
                yield LoadGoal.ofRate(target.asDouble() * capacityAtLeast);
            }
        };
    }

    private static LoadGoal within(Plan plan, LoadTarget target, double share) {
        if (share > plan.limits().maxShare().ratio() + 1e-9) {
            throw outOfReach(field(plan, target), target + " is a share of "
                    + Share.ofRatio(share) + ", more than limits.maxShare, " + plan.limits().maxShare());
        }
        return LoadGoal.ofShare(Share.ofRatio(share));
    }

    /**
     * Rejects a spike to a share above {@code maxRaise}. A spike to a rate is checked in the run, when the service's rate
     * is known.
     */
    private static LoadGoal leap(Plan plan, Share natural, LoadGoal goal, ProfileSettings.Spike spike) {
        Share share = goal.share();
        if (share != null && share.ratio() > natural.ratio() * plan.limits().maxRaise().asDouble() + 1e-6) {
            throw outOfReach(field(plan, spike.target()), "a leap from the natural share "
                    + natural + " to " + share + " is more than limits.maxRaise, " + plan.limits().maxRaise());
        }
        return goal;
    }

    private static RunRejectedException outOfReach(String field, String message) {
        return new RunRejectedException(RejectionReason.OUT_OF_REACH, message, field, List.of());
    }

    private static String field(Plan plan, LoadTarget target) {
        return "$.spec." + plan.profile().name().toLowerCase(Locale.ROOT) + "." + target.kind().field();
    }
}
