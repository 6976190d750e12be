// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
     * How the instances work, when each gets traffic in proportion to its capacity.
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
