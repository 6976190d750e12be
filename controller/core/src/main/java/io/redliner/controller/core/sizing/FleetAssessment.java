// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the question whether a fleet has the right size for a demand.
 *
 * @param instances that are there
 * @param needed how many are needed when only those of {@code hardware}, the most frequent class, are added or removed;
 *            absent when unknown
 * @param surplus too many when above 0, too few when below; absent when unknown
 * @param reason why it is unknown, otherwise empty
 */
public record FleetAssessment(Verdict verdict, int instances, @Nullable Long needed, @Nullable Long surplus,
        @Nullable String hardware, String reason) {

    /** The verdicts in the order of their urgency. */
    public enum Verdict {
        UNDER_PROVISIONED, UNKNOWN, OVER_PROVISIONED, RIGHT
    }

    /** Sorts by urgency: the largest shortage first, then unknown ones, then the largest surplus. */
    public static final Comparator<FleetAssessment> URGENCY = Comparator.comparing(FleetAssessment::verdict)
            .thenComparingLong(provision -> provision.surplus() == null ? 0 : -Math.abs(provision.surplus()));

    /** Returns the assessment of a fleet whose need is not known. */
    public static FleetAssessment unknown(int instances, String reason) {
        return new FleetAssessment(Verdict.UNKNOWN, instances, null, null, null, reason);
    }

    /** Assesses a fleet. An absent demand means that the peak is unknown. */
    public static FleetAssessment of(List<FleetInstance> fleet, @Nullable Demand demand) {
        Headroom whole = Headroom.of(fleet, demand == null ? null : demand.target().doubleValue());
        if (demand == null || whole.answer() == Headroom.Answer.UNKNOWN) {
            return unknown(fleet.size(), whole.reason());
        }
        List<InstanceGroup> classes = classes(fleet);
        InstanceGroup frequent = classes.getFirst();
        try {
            long needed = FleetSizing.size(frequent.low(), classes.subList(1, classes.size()), demand).instances();
            long surplus = frequent.instances() - needed;
            Verdict verdict = surplus < 0
                    ? Verdict.UNDER_PROVISIONED
                    : surplus > 0 ? Verdict.OVER_PROVISIONED : Verdict.RIGHT;
            return new FleetAssessment(verdict, fleet.size(), fleet.size() - surplus, surplus,
                    frequent.hardware().isEmpty() ? null : frequent.hardware(), "");
        } catch (ImpossibleSizingException impossible) {
            return unknown(fleet.size(), String.valueOf(impossible.getMessage()));
        }
    }

    /** Returns the most frequent first. Instances of one hardware class with other capacities are classes of their own. */
    private static List<InstanceGroup> classes(List<FleetInstance> fleet) {
        Map<String, Map<Double, Long>> counts = new TreeMap<>();
        for (FleetInstance instance : fleet) {
            counts.computeIfAbsent(Objects.requireNonNullElse(instance.hardware(), ""), name -> new TreeMap<>())
                    .merge(Objects.requireNonNull(instance.low()), 1L, Long::sum);
        }
        List<InstanceGroup> classes = new ArrayList<>();
        counts.forEach((hardware, byLow) -> byLow
                .forEach((low, count) -> classes.add(new InstanceGroup(hardware, BigDecimal.valueOf(low), count))));
        classes.sort(Comparator.comparingLong(InstanceGroup::instances).reversed());
        return classes;
    }
}
