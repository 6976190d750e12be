// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Precautions that a plan asks for beyond its limits: a conflict group, an approval, and enough traffic.
 *
 * @param conflictGroup at most one run of a group is live at a time; absent: the plan is in no group
 * @param approvalWithin how long a run waits for a second person's approval; absent: it needs none
 * @param trafficRequired a run is refused when the service's traffic is less than the last known capacity
 */
public record PlanSafety(@Nullable String conflictGroup, @Nullable Duration approvalWithin, boolean trafficRequired) {

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
     * The name itself.
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
     * The time itself.
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
