// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.machine.KernelFiles;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What {@code proc/meminfo} says, in bytes.
 *
 * @param total of the machine, above 0
 * @param available what could be had without swapping
 * @param swapTotal 0 without swap
 * @param swapFree of that
 */
record MemoryInfo(long total, long available, long swapTotal, long swapFree) {

    private static final long KIB = 1024;

    /** Empty when it is not such a file. */
    static Optional<MemoryInfo> parse(String text) {
        var total = KernelFiles.value(text, "MemTotal");
        var available = KernelFiles.value(text, "MemAvailable");
        var swapTotal = KernelFiles.value(text, "SwapTotal");
        var swapFree = KernelFiles.value(text, "SwapFree");
        return total.orElse(0) <= 0 || available.isEmpty() || swapTotal.isEmpty() || swapFree.isEmpty()
                ? Optional.empty()
                : Optional.of(new MemoryInfo(total.getAsLong() * KIB, available.getAsLong() * KIB,
                        swapTotal.getAsLong() * KIB, swapFree.getAsLong() * KIB));
    }

    double used() {
        return (double) (total - available) / total;
    }

    /** Empty without swap. */
    OptionalDouble swapUsed() {
        return swapTotal == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) (swapTotal - swapFree) / swapTotal);
    }
}
