// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.sizing.Demand;
import io.redliner.controller.core.sizing.FleetInstance;
import io.redliner.controller.core.sizing.FleetSizing;
import io.redliner.controller.core.sizing.Headroom;
import io.redliner.controller.core.sizing.ImpossibleSizingException;
import io.redliner.controller.plan.NumberText;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The instances that a service needs by the capacity of one of them, and those that it has. The reserve is the one that the page
 * of a service and {@code redliner size} begin with.
 *
 * @param peak the highest load of the service that is known, requests/s; absent when unknown
 * @param needed instances like the one with this capacity; absent when unknown
 * @param instances that are there; absent when no redirector reports them
 * @param free part of the fleet's capacity that the peak leaves, negative when it is exceeded; absent when unknown
 * @param reason why {@code needed} is absent, otherwise why {@code free} is; empty when both are known
 * @param caveats why the missing instances are not known although {@code needed} is
 */
public record FleetNeed(@Nullable Double peak, @Nullable Long needed, @Nullable Integer instances,
        @Nullable Double free, String reason, Set<Caveat> caveats) {

    /** The reasons why no number of missing instances follows from the need. */
    public enum Caveat {
        /** The capacity is only a lower bound: fewer instances may do. */
        LOWER_BOUND,
        /** The capacity of an instance differs from this one, or is not known. */
        MIXED,
        /** The peak is too old to be relied on. */
        STALE_PEAK,
        /** A capacity that the fleet is counted with is too old to be relied on. */
        STALE_CAPACITY
    }

    /** The need of a service that nothing is known of. */
    public static final FleetNeed UNKNOWN = new FleetNeed(null, null, null, null, "the service's peak is unknown",
            Set.of());

    private static final BigDecimal RESERVE = new BigDecimal("0.3");

    private static final int FAILURE_DOMAINS = 3;

    /** Largest relative difference of the capacities of instances that are alike: two measurements differ by chance. */
    private static final double MAX_DIFFERENCE = 0.1;

    public FleetNeed {
        caveats = Set.copyOf(caveats);
    }

    /**
     * Counts the instances.
     *
     * @param low lower bound of the capacity of one instance, requests/s
     * @param fleet instances that are reported; absent when none are
     * @param known caveats beside {@link Caveat#MIXED}, which follows from the fleet
     */
    public static FleetNeed of(double low, @Nullable List<FleetInstance> fleet, @Nullable Double peak,
            Set<Caveat> known) {
        EnumSet<Caveat> caveats = EnumSet.noneOf(Caveat.class);
        caveats.addAll(known);
        if (fleet != null && !fleet.stream().allMatch(instance -> alike(low, instance.low()))) {
            caveats.add(Caveat.MIXED);
        }
        Integer instances = fleet == null ? null : fleet.size();
        if (peak == null || !(peak > 0)) {
            return new FleetNeed(null, null, instances, null, UNKNOWN.reason(), caveats);
        }
        try {
            long needed = FleetSizing.size(BigDecimal.valueOf(low), List.of(),
                    new Demand(BigDecimal.valueOf(peak), RESERVE, FAILURE_DOMAINS, true, BigDecimal.ZERO)).instances();
            Headroom headroom = fleet == null ? null : Headroom.of(fleet, peak);
            return headroom == null
                    ? new FleetNeed(peak, needed, null, null, "no redirector reports the service at present",
                            caveats)
                    : new FleetNeed(peak, needed, instances, headroom.free(), headroom.reason(), caveats);
        } catch (ImpossibleSizingException impossible) {
            return new FleetNeed(peak, null, instances, null, String.valueOf(impossible.getMessage()), caveats);
        }
    }

    private static boolean alike(double low, @Nullable Double other) {
        return other != null && Math.abs(other - low) <= MAX_DIFFERENCE * low;
    }

    /** Returns the instances that are missing, 0 when there are enough; absent when that is not known. */
    @Nullable
    Long missing() {
        return needed == null || instances == null || !caveats.isEmpty() ? null : Math.max(0, needed - instances);
    }

    /** Returns true when need and instances are known, and yet not whether any is missing. */
    boolean mayMiss() {
        return needed != null && instances != null && missing() == null;
    }

    /** Returns the need as sentences. */
    String describe() {
        if (needed == null || peak == null) {
            return "How many instances the service needs is not known: " + reason + ".";
        }
        return "For its highest known load, " + NumberText.rate(peak)
                + (caveats.contains(Caveat.STALE_PEAK) ? " (measured too long ago to rely on)" : "")
                + ", the service needs " + (caveats.contains(Caveat.LOWER_BOUND) ? "at most " : "")
                + counted(needed, "instance") + " like this one, of which 30 % stays free, and any one of 3 failure "
                + "domains may be lost. " + there(needed) + (instances == null ? "" : " " + left());
    }

    private String there(long wanted) {
        if (instances == null) {
            return "How many it has is not known: " + reason + ".";
        }
        if (caveats.contains(Caveat.MIXED)) {
            return "It has " + instances + ", whose capacities are not all known to be like this one's: how many are "
                    + "missing does not follow.";
        }
        long surplus = instances - wanted;
        if (surplus < 0 && caveats.contains(Caveat.LOWER_BOUND)) {
            return "It has " + instances + ": whether any is missing is not known.";
        }
        return "It has " + instances + (surplus == 0
                ? ", as many as it needs."
                : surplus > 0 ? ", " + surplus + " more than that." : ": " + -surplus + " too few.");
    }

    private String left() {
        if (free == null) {
            return "How much of their capacity that load leaves free is not known: " + reason + ".";
        }
        return (free >= 0
                ? "That load leaves " + NumberText.percent(free) + " of their capacity free"
                : "That load is " + NumberText.percent(-free) + " more than they can take")
                + ", by the newest measurement of each"
                + (caveats.contains(Caveat.STALE_CAPACITY) ? "; one at least is too old to rely on." : ".");
    }

    static String counted(long many, String thing) {
        return NumberText.brief((double) many) + " " + thing + (many == 1 ? "" : "s");
    }
}
