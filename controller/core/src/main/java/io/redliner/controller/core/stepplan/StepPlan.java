// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run of a profile does beside the search or instead of it, with all loads resolved. */
public sealed interface StepPlan {

    /** Of which profile it is. */
    Profile profile();

    /** Whether this plan says what load is wanted; otherwise the search does. */
    boolean steers();

    /** Whether it means to go on when the SLA is broken: then a window that broke it does not keep the load from rising. */
    boolean overloads();

    /**
     * Goes to a load and stays there: smoke, load and endurance.
     *
     * @param ramp from natural to the goal; zero for at once
     * @param drift how much growth matters; absent when it is not looked for
     */
    record Hold(Profile profile, LoadGoal goal, Duration ramp, Duration hold,
            @Nullable Drift drift) implements StepPlan {

        /**
         * What growth over the hold matters.
         *
         * @param part above 0: of memory a part of the whole, of latency and pauses of the tightest limit
         * @param latencyLimitSeconds the tightest of the rules; absent when none limits latency, then the first level counts
         */
        public record Drift(double part, @Nullable Double latencyLimitSeconds) {}

        @Override
        public boolean steers() {
            return true;
        }

        @Override
        public boolean overloads() {
            return false;
        }
    }

    /**
     * Goes to a load that may be too much, stays, drops it, and waits for health: stress and spike.
     *
     * @param ramp from natural to the goal; zero for one leap
     * @param recovery what it may take to be healthy again
     */
    record Overload(Profile profile, LoadGoal goal, Duration ramp, Duration hold,
            Duration recovery) implements StepPlan {

        @Override
        public boolean steers() {
            return true;
        }

        @Override
        public boolean overloads() {
            return true;
        }
    }

    /**
     * Climbs past the first breach until a condition says that it has failed: breakpoint.
     *
     * @param factor from one load to the next
     * @param dwell at each
     * @param until names of the conditions
     */
    record Staircase(double factor, Duration dwell, List<String> until) implements StepPlan {

        public Staircase {
            until = List.copyOf(until);
        }

        @Override
        public Profile profile() {
            return Profile.BREAKPOINT;
        }

        @Override
        public boolean steers() {
            return true;
        }

        @Override
        public boolean overloads() {
            return true;
        }
    }

    /** Follows the search, and wants to know what limited the capacity: bottleneck. */
    record Attribution() implements StepPlan {

        @Override
        public Profile profile() {
            return Profile.BOTTLENECK;
        }

        @Override
        public boolean steers() {
            return false;
        }

        @Override
        public boolean overloads() {
            return false;
        }
    }
}
