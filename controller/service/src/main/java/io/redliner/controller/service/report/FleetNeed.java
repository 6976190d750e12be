// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.sizing.Demand;
import io.redliner.controller.core.sizing.FleetInstance;
import io.redliner.controller.core.sizing.FleetSizing;
import io.redliner.controller.core.sizing.Headroom;
import io.redliner.controller.core.sizing.ImpossibleSizingException;
import io.redliner.controller.plan.NumberText;
import java.math.BigDecimal;
import java.util.List;
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
 */
public record FleetNeed(@Nullable Double peak, @Nullable Long needed, @Nullable Integer instances,
        @Nullable Double free, String reason) {

    /** The need of a service that nothing is known of. */
    public static final FleetNeed UNKNOWN = new FleetNeed(null, null, null, null, "the service's peak is unknown");

    private static final BigDecimal RESERVE = new BigDecimal("0.3");

    private static final int FAILURE_DOMAINS = 3;

    /**
     * Counts the instances.
     *
     * @param low lower bound of the capacity of one instance, requests/s
     * @param fleet instances that are reported; absent when none are
     */
    public static FleetNeed of(double low, @Nullable List<FleetInstance> fleet, @Nullable Double peak) {
        Integer instances = fleet == null ? null : fleet.size();
        if (peak == null || !(peak > 0)) {
            return new FleetNeed(null, null, instances, null, UNKNOWN.reason());
        }
        try {
            long needed = FleetSizing.size(BigDecimal.valueOf(low), List.of(),
                    new Demand(BigDecimal.valueOf(peak), RESERVE, FAILURE_DOMAINS, true, BigDecimal.ZERO)).instances();
            Headroom headroom = fleet == null ? null : Headroom.of(fleet, peak);
            return headroom == null
                    ? new FleetNeed(peak, needed, null, null, "no redirector reports the service at present")
                    : new FleetNeed(peak, needed, instances, headroom.free(), headroom.reason());
        } catch (ImpossibleSizingException impossible) {
            return new FleetNeed(peak, null, instances, null, String.valueOf(impossible.getMessage()));
        }
    }

    /** Returns the instances that are missing, 0 when there are enough; absent when that is not known. */
    @Nullable
    Long missing() {
        return needed == null || instances == null ? null : Math.max(0, needed - instances);
    }

    /** Returns the need as sentences. */
    String describe() {
        if (needed == null || peak == null) {
            return "How many instances the service needs is not known: " + reason + ".";
        }
        return "For its highest known load, " + NumberText.rate(peak) + ", the service needs "
                + counted(needed, "instance") + " like this one, of which 30 % stays free, and any one of 3 failure "
                + "domains may be lost. " + there(needed) + (instances == null ? "" : " " + left());
    }

    private String there(long wanted) {
        if (instances == null) {
            return "How many it has is not known: " + reason + ".";
        }
        long surplus = instances - wanted;
        return "It has " + instances + (surplus == 0
                ? ", as many as it needs."
                : surplus > 0 ? ", " + surplus + " more than that." : ": " + -surplus + " too few.");
    }

    private String left() {
        if (free == null) {
            return "How much of their capacity that load leaves free is not known: " + reason + ".";
        }
        return free >= 0
                ? "That load leaves " + NumberText.percent(free)
                        + " of their capacity free, by the newest measurement of each."
                : "That load is " + NumberText.percent(-free)
                        + " more than they can take, by the newest measurement of each.";
    }

    static String counted(long many, String thing) {
        return NumberText.brief((double) many) + " " + thing + (many == 1 ? "" : "s");
    }
}
