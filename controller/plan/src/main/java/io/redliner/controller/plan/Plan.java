// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import io.redliner.contract.redirect.Redirect;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A declared capacity test.
 *
 * @param name 1 to 63 lower-case letters, digits, {@code -} and {@code .}
 * @param labels free text for people and filters
 * @param service the fleet to test
 * @param sut which of its instances
 * @param profile the kind of test
 * @param redirect which traffic is moved, and how
 * @param sla rules that a healthy window satisfies, all of them; not empty
 * @param guards rules that end the run at once when broken
 * @param limits bounds that the run never exceeds
 * @param schedule when it starts by itself; null: never
 * @param notifications the receivers and their events; the section {@code notify}
 * @param settings of the profile; absent for those that have none
 * @param safety precautions beyond the limits
 */
public record Plan(String name, Map<String, String> labels, String service, SutChoice sut, Profile profile,
        Redirect redirect, List<Rule> sla, List<Rule> guards, PlanLimits limits, @Nullable Schedule schedule,
        List<NotificationSubscription> notifications, @Nullable ProfileSettings settings, PlanSafety safety) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?");

    private static final Pattern SERVICE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    /** @throws IllegalArgumentException when a value is outside its range, or two rules have one name */
    public Plan {
        requireName(name);
        requireService(service);
        if (sla.isEmpty()) {
            throw new IllegalArgumentException("the SLA needs at least one rule");
        }
        boolean needed = profile != Profile.CAPACITY && profile != Profile.BOTTLENECK;
        if (settings == null ? needed : settings.profile() != profile) {
            throw new IllegalArgumentException("the settings are not those of profile " + profile);
        }
        labels = Collections.unmodifiableSortedMap(sorted(labels));
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
        notifications = List.copyOf(notifications);
        Set<String> names = new HashSet<>();
        Stream.concat(sla.stream(), guards.stream()).forEach(rule -> {
            if (!names.add(rule.name())) {
                throw new IllegalArgumentException("two rules are named " + rule.name());
            }
        });
    }

    /**
     * Returns the name if it is valid.
     *
     * @throws IllegalArgumentException when it is no name of a plan
     */
    public static String requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "is no name; use 1 to 63 lower-case letters, digits, '-' and '.', with a letter or digit at both ends");
        }
        return name;
    }

    /**
     * Returns the name if it is valid.
     *
     * @throws IllegalArgumentException when it is no name of a service
     */
    public static String requireService(String service) {
        if (!SERVICE.matcher(service).matches()) {
            throw new IllegalArgumentException("is no service name; use letters, digits, '.', '_' and '-'");
        }
        return service;
    }

    private static SortedMap<String, String> sorted(Map<String, String> labels) {
        return new TreeMap<>(labels);
    }

    /**
     * Precautions that a plan asks for beyond its limits: a conflict group, an approval, and enough traffic.
     *
     * @param conflictGroup at most one run of a group is live at a time; absent: the plan is in no group
     * @param approvalWithin how long a run waits for a second person's approval; absent: it needs none
     * @param trafficRequired a run ends at its preflight when the traffic cannot reach the last known capacity
     */
    public record PlanSafety(@Nullable String conflictGroup, @Nullable Duration approvalWithin,
            boolean trafficRequired) {

        /** No precautions beyond the limits. */
        public static final PlanSafety NONE = new PlanSafety(null, null, false);

        private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

        private static final Duration MIN_APPROVAL = Duration.ofMinutes(1);

        private static final Duration MAX_APPROVAL = Duration.ofDays(7);

        /** @throws IllegalArgumentException when the group is no name, or the time for an approval outside 1 min to 7 d */
        public PlanSafety {
            if (conflictGroup != null) {
                requireGroup(conflictGroup);
            }
            if (approvalWithin != null) {
                requireApprovalWithin(approvalWithin);
            }
        }

        /**
         * Returns the name if it is valid.
         *
         * @throws IllegalArgumentException when it is no name of a conflict group
         */
        public static String requireGroup(String group) {
            if (!GROUP.matcher(group).matches()) {
                throw new IllegalArgumentException(
                        "is no name of a conflict group; use 1 to 100 letters, digits, '.', '_' and '-'");
            }
            return group;
        }

        /**
         * Returns the time if it is valid.
         *
         * @throws IllegalArgumentException outside 1 min to 7 d
         */
        public static Duration requireApprovalWithin(Duration within) {
            if (within.compareTo(MIN_APPROVAL) < 0 || within.compareTo(MAX_APPROVAL) > 0) {
                throw new IllegalArgumentException("is not between 1m and 168h");
            }
            return within;
        }
    }
}
