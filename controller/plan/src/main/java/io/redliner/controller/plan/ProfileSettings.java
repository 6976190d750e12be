// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import io.redliner.sla.Rule;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings in the section of a plan that is named after its profile. Capacity and bottleneck have none. */
public sealed interface ProfileSettings {

    /** Time that is allowed for every run beside its steps: to start, to measure the baseline and to restore traffic. */
    Duration OVERHEAD = Duration.ofSeconds(30);

    /** Returns the profile that has these settings. */
    Profile profile();

    /** Returns the shortest duration of one run, when no step is prolonged. */
    Duration takes();

    /** Returns the load it wants; absent when it wants none in particular. */
    @Nullable
    LoadTarget target();

    /**
     * Does everything work?
     *
     * @param target absent: the natural load
     * @param hold 1 s or more
     */
    record Smoke(@Nullable LoadTarget target, Duration hold) implements ProfileSettings {

        @Override
        public Profile profile() {
            return Profile.SMOKE;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(hold);
        }
    }

    /**
     * Does the SLA hold at this load?
     *
     * @param ramp from the natural load to the target
     */
    record Load(LoadTarget target, Duration ramp, Duration hold) implements ProfileSettings {

        @Override
        public Profile profile() {
            return Profile.LOAD;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(ramp).plus(hold);
        }
    }

    /**
     * At which load does it fail?
     *
     * @param step factor from one load to the next
     * @param dwell at each load
     * @param until it has failed when one of these is true; not empty
     */
    record Breakpoint(Factor step, Duration dwell, List<Rule> until) implements ProfileSettings {

        public Breakpoint {
            until = List.copyOf(until);
            if (until.isEmpty()) {
                throw new IllegalArgumentException("needs at least one condition that says when it has failed");
            }
        }

        @Override
        public Profile profile() {
            return Profile.BREAKPOINT;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(dwell.multipliedBy(2));
        }

        @Override
        public @Nullable LoadTarget target() {
            return null;
        }
    }

    /**
     * How does it recover from an overload?
     *
     * @param recovery the longest time until it is healthy again
     */
    record Stress(LoadTarget target, Duration ramp, Duration hold, Duration recovery) implements ProfileSettings {

        @Override
        public Profile profile() {
            return Profile.STRESS;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(ramp).plus(hold).plus(recovery);
        }
    }

    /**
     * How does it recover from a sudden rise?
     *
     * @param target to be reached in one raise
     * @param recovery the longest time until it is healthy again
     */
    record Spike(LoadTarget target, Duration hold, Duration recovery) implements ProfileSettings {

        @Override
        public Profile profile() {
            return Profile.SPIKE;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(hold).plus(recovery);
        }
    }

    /**
     * Does it stay as it is?
     *
     * @param drift the growth over the hold that matters: a ratio of the whole memory, and for latency and pauses a ratio
     *            of the tightest latency limit
     */
    record Endurance(LoadTarget target, Duration ramp, Duration hold, Ratio drift) implements ProfileSettings {

        @Override
        public Profile profile() {
            return Profile.ENDURANCE;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(ramp).plus(hold);
        }
    }

    /**
     * Is the capacity as it was?
     *
     * @param hold time at the load, 10 s to 5 min
     */
    record Recheck(Duration hold) implements ProfileSettings {

        /** Time from the natural load to the one that is held. */
        public static final Duration RAMP = Duration.ofSeconds(15);

        /** Fewest windows of a hold. */
        public static final int MIN_WINDOWS = 8;

        /** Part of the known capacity that is held. */
        public static final double PART_OF_CAPACITY = 0.8;

        /** Time for an instance that warms up, and for a burst of late requests with the second way up. */
        private static final Duration WAITS = Duration.ofSeconds(20).plus(RAMP);

        private static final Duration MIN_HOLD = Duration.ofSeconds(10);

        private static final Duration MAX_HOLD = Duration.ofMinutes(5);

        public Recheck {
            if (hold.compareTo(MIN_HOLD) < 0 || hold.compareTo(MAX_HOLD) > 0) {
                throw new IllegalArgumentException("hold is " + DurationText.write(MIN_HOLD) + " to "
                        + DurationText.write(MAX_HOLD));
            }
        }

        @Override
        public Profile profile() {
            return Profile.RECHECK;
        }

        @Override
        public Duration takes() {
            return OVERHEAD.plus(WAITS).plus(RAMP).plus(hold);
        }

        @Override
        public @Nullable LoadTarget target() {
            return null;
        }
    }

    /**
     * How does the capacity grow with the size?
     *
     * @param points at least four different sizes
     */
    record Scalability(List<Point> points) implements ProfileSettings {

        /** Three unknowns need more than three sizes. */
        public static final int MIN_SIZES = 4;

        public static final int MAX_POINTS = 40;

        public Scalability {
            points = List.copyOf(points);
            if (points.stream().map(Point::size).distinct().count() < MIN_SIZES || points.size() > MAX_POINTS) {
                throw new IllegalArgumentException("needs " + MIN_SIZES + " different sizes, and at most " + MAX_POINTS
                        + " points");
            }
            Set<Point> distinct = new HashSet<>();
            if (!points.stream().allMatch(distinct::add)) {
                throw new IllegalArgumentException("has a point twice");
            }
        }

        /**
         * A SUT and how large it is.
         *
         * @param size in any unit: cores, workers, replicas behind one address; above 0
         */
        public record Point(SutChoice.Named sut, BigDecimal size) {

            public Point {
                if (size.signum() <= 0) {
                    throw new IllegalArgumentException("a size is above 0");
                }
                size = size.stripTrailingZeros();
            }
        }

        @Override
        public Profile profile() {
            return Profile.SCALABILITY;
        }

        @Override
        public Duration takes() {
            return OVERHEAD;
        }

        @Override
        public @Nullable LoadTarget target() {
            return null;
        }
    }

    /**
     * Is the new one worse than the old one?
     *
     * @param before the old one
     * @param after the new one
     * @param rounds of old, new, new, old; 1 to 10
     * @param compare the quantity that is compared
     * @param worseBy the relative change that matters, a ratio
     * @param load at which latencies are compared; absent when capacities are
     */
    record Regression(SutChoice before, SutChoice after, int rounds, Compare compare, Ratio worseBy,
            @Nullable Load load) implements ProfileSettings {

        /** The quantity that the old and the new one are compared by. */
        public enum Compare {
            CAPACITY, LATENCY
        }

        public static final int MAX_ROUNDS = 10;

        public Regression {
            if (before.equals(after)) {
                throw new IllegalArgumentException(before instanceof SutChoice.Named
                        ? "old and new are the same instance"
                        : "old and new are selected in the same way, so nothing says which is which");
            }
            if (rounds < 1 || rounds > MAX_ROUNDS) {
                throw new IllegalArgumentException("rounds is between 1 and " + MAX_ROUNDS);
            }
            if (worseBy.value().signum() == 0) {
                throw new IllegalArgumentException("worseBy must be above 0: nothing is ever the same to the last bit");
            }
            if ((compare == Compare.LATENCY) != (load != null)) {
                throw new IllegalArgumentException(compare == Compare.LATENCY
                        ? "latency is compared at a load: say which"
                        : "load is only for compare: latency");
            }
        }

        @Override
        public Profile profile() {
            return Profile.REGRESSION;
        }

        @Override
        public Duration takes() {
            return load == null ? OVERHEAD : load.takes();
        }

        @Override
        public @Nullable LoadTarget target() {
            return load == null ? null : load.target();
        }
    }
}
