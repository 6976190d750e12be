// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many instances a load needs. It counts with the lower bound of their capacity: with 97.5 % confidence an instance
 * can take the load that it is given. A fleet of several classes can take the sum of their lower bounds, if each instance gets
 * traffic in proportion to its capacity. The largest domain that can be lost is counted as if the largest parts of all classes
 * were in it.
 */
public final class FleetSizing {

    private static final long MAX_INSTANCES = 1_000_000_000;

    private FleetSizing() {}

    /**
     * Computes how many instances of a class are needed beside the present ones of other classes.
     *
     * <p>With the lower bound c, the headroom h and the target T, the fleet needs M = ceil(T / (c (1 - h))) instances. Of n
     * instances spread evenly over D domains, floor(n (D - 1) / D) are left when the largest is lost; that is at least M from n =
     * ceil(M D / (D - 1)) on.
     *
     * @param low lower bound of the capacity of one instance of the class, requests/s
     * @param others the instances of other classes that the fleet has
     * @throws ImpossibleSizingException when no number of instances does it
     */
    public static SizingResult size(BigDecimal low, List<InstanceGroup> others, Demand demand)
            throws ImpossibleSizingException {
        if (low.signum() <= 0) {
            throw new ImpossibleSizingException("$.capacity.low",
                    "an instance whose capacity may be 0 requests/s cannot be counted on: measure it again");
        }
        if (demand.surviveLoss() && demand.domains() < 2) {
            throw new ImpossibleSizingException("$.failureDomains",
                    "with 1 failure domain its loss takes the whole service: name at least 2, or set surviveLoss to false");
        }
        BigDecimal instances = needed(demand.target(), demand.headroom(), low, total(others));
        if (demand.surviveLoss()) {
            BigDecimal left = needed(demand.target(), demand.headroomAtLoss(), low,
                    total(others).subtract(inLargestDomain(others, demand.domains())));
            BigDecimal survivors = BigDecimal.valueOf(demand.domains() - 1L);
            instances = instances.max(ceiling(left.multiply(BigDecimal.valueOf(demand.domains())), survivors));
        }
        if (instances.compareTo(BigDecimal.valueOf(MAX_INSTANCES)) > 0) {
            throw new ImpossibleSizingException("$.targetRequestsPerSecond",
                    "that takes more than " + MAX_INSTANCES + " instances");
        }
        return described(new InstanceGroup("", low, instances.longValueExact()), others, demand);
    }

    private static BigDecimal needed(BigDecimal target, BigDecimal headroom, BigDecimal low, BigDecimal there) {
        BigDecimal usable = BigDecimal.ONE.subtract(headroom);
        BigDecimal missing = target.subtract(there.multiply(usable));
        return missing.signum() <= 0 ? BigDecimal.ZERO : ceiling(missing, low.multiply(usable));
    }

    private static BigDecimal ceiling(BigDecimal dividend, BigDecimal divisor) {
        return dividend.divide(divisor, 0, RoundingMode.CEILING);
    }

    private static BigDecimal total(List<InstanceGroup> groups) {
        return groups.stream().map(InstanceGroup::total).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal inLargestDomain(List<InstanceGroup> groups, int domains) {
        return groups.stream()
                .map(group -> group.inLargestDomain(domains))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static SizingResult described(InstanceGroup own, List<InstanceGroup> others, Demand demand) {
        List<Long> perDomain = SizingResult.spread(own.instances(), demand.domains());
        BigDecimal all = own.total().add(total(others));
        SizingResult.Working normal = working(own.instances(), own.low(), demand.headroom(), demand.target(), all);
        if (!demand.surviveLoss()) {
            return new SizingResult(own.instances(), perDomain, normal, null);
        }
        BigDecimal left = all.subtract(own.inLargestDomain(demand.domains()))
                .subtract(inLargestDomain(others, demand.domains()));
        return new SizingResult(own.instances(), perDomain, normal,
                working(own.instances() - perDomain.getFirst(), own.low(),
                        demand.headroomAtLoss(), demand.target(), left));
    }

    private static SizingResult.Working working(long instances, BigDecimal low, BigDecimal headroom, BigDecimal target,
            BigDecimal capacity) {
        double utilisation = target.doubleValue() / capacity.doubleValue();
        return new SizingResult.Working(instances, low.multiply(BigDecimal.ONE.subtract(headroom)).doubleValue(),
                low.doubleValue() * utilisation, utilisation);
    }

    /**
     * The number of instances of one class that are needed.
     *
     * @param perDomain as even as possible, the largest first
     * @param loss when the largest domain is lost; absent when that need not be survived
     */
    public record SizingResult(long instances, List<Long> perDomain, Working normal, @Nullable Working loss) {

        public SizingResult {
            perDomain = List.copyOf(perDomain);
        }

        /**
         * The load of the instances when each gets traffic in proportion to its capacity.
         *
         * @param instances of this class that are left
         * @param limit requests/s that each may get by the headroom
         * @param load requests/s that each gets
         * @param utilisation load as part of the lower bound of the capacity
         */
        public record Working(long instances, double limit, double load, double utilisation) {}

        static List<Long> spread(long instances, int domains) {
            return IntStream.range(0, domains)
                    .mapToObj(domain -> instances / domains + (domain < instances % domains ? 1 : 0))
                    .toList();
        }
    }
}
