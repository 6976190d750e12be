// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the question whether a fleet can take a load. One instance of unknown capacity, which gets traffic like the
 * others, makes the answer unknown.
 *
 * @param lost the failure domain that is assumed to be lost; absent when none is
 * @param instances that are left
 * @param capacity sum of the lower bounds of their capacities, requests/s; absent when not all are known
 * @param atNaturalShares the rate of the service at which the first of them reaches its lower bound, if traffic stays
 *            spread as it is; below {@code capacity} when it is not spread by capacity
 * @param free part of the capacity that the load leaves, negative when it is exceeded; absent when unknown
 * @param reason why the answer is unknown, otherwise empty
 */
public record Headroom(Answer answer, @Nullable String lost, int instances, @Nullable Double capacity,
        @Nullable Double atNaturalShares, @Nullable Double free, String reason) {

    /** The answers to the question whether the fleet can take the load. */
    public enum Answer {
        SURVIVES,
        /** Only if traffic is spread by capacity: as it is spread now, an instance is overloaded. */
        SURVIVES_IF_REBALANCED, DOES_NOT_SURVIVE, UNKNOWN
    }

    /** Computes the headroom of the whole fleet. */
    public static Headroom of(List<FleetInstance> fleet, @Nullable Double load) {
        return of(fleet, load, null);
    }

    /** Computes the headroom after the loss of the failure domain whose loss is worst. */
    public static Headroom withoutAnyDomain(List<FleetInstance> fleet, @Nullable Double load) {
        if (fleet.stream().anyMatch(instance -> instance.failureDomain() == null)) {
            return unknown(null, 0, "the failure domain of at least one instance is unknown");
        }
        List<String> domains = fleet.stream()
                .map(instance -> Objects.requireNonNull(instance.failureDomain()))
                .distinct()
                .sorted()
                .toList();
        return domains.stream()
                .map(domain -> of(
                        fleet.stream().filter(instance -> !domain.equals(instance.failureDomain())).toList(), load,
                        domain))
                .min(Comparator.comparingInt(Headroom::rank)
                        .thenComparingDouble(one -> one.capacity() == null ? 0 : one.capacity()))
                .orElseGet(() -> unknown(null, 0, "no instance is known"));
    }

    /**
     * Computes the headroom after the loss of one of these domains, which take equal numbers of instances: the strongest
     * are lost.
     */
    public static Headroom withoutLargest(List<FleetInstance> fleet, @Nullable Double load, int domains) {
        int lost = (fleet.size() + domains - 1) / domains;
        List<FleetInstance> left = fleet.stream()
                .sorted(Comparator.comparingDouble(
                        (FleetInstance instance) -> instance.low() == null ? Double.MAX_VALUE : instance.low())
                        .reversed())
                .skip(lost)
                .toList();
        return of(fleet, load).answer() == Answer.UNKNOWN
                ? of(fleet, load)
                : of(left, load, "the strongest " + lost + " of " + fleet.size() + " instances");
    }

    /** Returns the rank of the answer, the worst first: certain overload ranks before an unknown answer. */
    private int rank() {
        return switch (answer) {
            case DOES_NOT_SURVIVE -> 0;
            case UNKNOWN -> 1;
            case SURVIVES_IF_REBALANCED -> 2;
            case SURVIVES -> 3;
        };
    }

    private static Headroom of(List<FleetInstance> left, @Nullable Double load, @Nullable String lost) {
        if (left.isEmpty()) {
            return lost == null
                    ? unknown(null, 0, "no instance is known")
                    : new Headroom(Answer.DOES_NOT_SURVIVE, lost, 0, 0.0, 0.0, null, "");
        }
        List<String> unmeasured = left.stream()
                .filter(instance -> instance.low() == null)
                .map(FleetInstance::address)
                .toList();
        if (!unmeasured.isEmpty()) {
            return unknown(lost, left.size(), "the capacity is unknown of "
                    + unmeasured.stream().limit(5).collect(Collectors.joining(", "))
                    + (unmeasured.size() > 5 ? " and " + (unmeasured.size() - 5) + " more" : ""));
        }
        double capacity = left.stream().mapToDouble(Headroom::low).sum();
        double natural = atNaturalShares(left, capacity);
        if (load == null) {
            return new Headroom(Answer.UNKNOWN, lost, left.size(), capacity, natural, null, "the peak is unknown");
        }
        // Sums of doubles: shares in ppm and bounds are not exact to the last digit either.
        Answer answer = load <= natural * (1 + 1e-9)
                ? Answer.SURVIVES
                : load <= capacity ? Answer.SURVIVES_IF_REBALANCED : Answer.DOES_NOT_SURVIVE;
        return new Headroom(answer, lost, left.size(), capacity, natural, 1 - load / capacity, "");
    }

    private static double low(FleetInstance instance) {
        return Objects.requireNonNull(instance.low());
    }

    /**
     * Returns the highest rate when the lost instances' traffic goes to the remaining ones, in proportion to their natural shares.
     */
    private static double atNaturalShares(List<FleetInstance> left, double capacity) {
        double shares = left.stream().mapToDouble(FleetInstance::naturalShare).sum();
        return left.stream()
                .filter(instance -> instance.naturalShare() > 0)
                .mapToDouble(instance -> low(instance) / instance.naturalShare() * shares)
                .min()
                .orElse(capacity);
    }

    private static Headroom unknown(@Nullable String lost, int instances, String reason) {
        return new Headroom(Answer.UNKNOWN, lost, instances, null, null, null, reason);
    }
}
