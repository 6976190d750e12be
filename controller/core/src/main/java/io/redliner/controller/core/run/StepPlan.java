// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of a run's profile, beside the search or in its place, with all loads resolved. */
public sealed interface StepPlan {

    /** Returns the profile of the plan. */
    Profile profile();

    /** Returns true when this plan sets the load; otherwise the search does. */
    default boolean steers() {
        return !(this instanceof Attribution);
    }

    /** Returns true when the plan goes on after a breach of the SLA: a broken window then does not stop the load from rising. */
    default boolean overloads() {
        return this instanceof Overload || this instanceof Staircase;
    }

    /**
     * Goes to a load and stays there: smoke, load and endurance.
     *
     * @param ramp time from the natural load to the goal; zero for at once
     * @param drift the growth that matters; absent when drift is not analyzed
     */
    record Hold(Profile profile, LoadGoal goal, Duration ramp, Duration hold,
            @Nullable Drift drift) implements StepPlan {

        /**
         * The growth over the hold that matters.
         *
         * @param part a ratio above 0: of the whole memory, and for latency and pauses of the tightest limit
         * @param latencyLimitSeconds the tightest of the rules; absent when none limits latency, then the first level counts
         */
        public record Drift(double part, @Nullable Double latencyLimitSeconds) {}
    }

    /**
     * Goes to a load that may be too high, holds it, drops it, and waits until the SUT is healthy: stress and spike.
     *
     * @param ramp time from the natural load to the goal; zero for one leap
     * @param recovery the longest time until it is healthy again
     */
    record Overload(Profile profile, LoadGoal goal, Duration ramp, Duration hold,
            Duration recovery) implements StepPlan {}

    /**
     * Climbs past the first breach until a condition of failure is met: breakpoint.
     *
     * @param factor ratio of one load to the one before
     * @param dwell time at each load
     * @param until names of the conditions of failure
     */
    record Staircase(double factor, Duration dwell, List<String> until) implements StepPlan {

        public Staircase {
            until = List.copyOf(until);
        }

        @Override
        public Profile profile() {
            return Profile.BREAKPOINT;
        }
    }

    /**
     * Goes to a load below the known capacity, holds it, and compares: recheck.
     *
     * @param ramp time from the natural load to the goal
     * @param capacity the known capacity
     * @param loadProfile the measurements of the run that found it
     */
    record Recheck(LoadGoal goal, Duration ramp, Duration hold, KnownCapacity capacity,
            LoadProfile loadProfile) implements StepPlan {

        /** Returns a recheck at a part of the capacity that is also below all that the capacity may be. */
        public static Recheck of(Duration hold, KnownCapacity capacity, LoadProfile loadProfile) {
            return new Recheck(
                    LoadGoal.ofRate(Math.min(ProfileSettings.Recheck.PART_OF_CAPACITY * capacity.capacity(),
                            capacity.low())),
                    ProfileSettings.Recheck.RAMP, hold, capacity, loadProfile);
        }

        @Override
        public Profile profile() {
            return Profile.RECHECK;
        }
    }

    /** Follows the search, and finds the resource that limited the capacity: bottleneck. */
    record Attribution() implements StepPlan {

        @Override
        public Profile profile() {
            return Profile.BOTTLENECK;
        }
    }
}
