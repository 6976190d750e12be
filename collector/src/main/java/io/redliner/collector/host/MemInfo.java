// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The contents of {@code proc/meminfo}, in bytes.
 *
 * @param total memory of the machine, above 0
 * @param available memory that can be allocated without swapping
 * @param swapTotal size of the swap; 0 without swap
 * @param swapFree free part of the swap
 */
record MemInfo(long total, long available, long swapTotal, long swapFree) {

    private static final long KIB = 1024;

    /** Parses {@code proc/meminfo}; empty when the text is no such file. */
    static Optional<MemInfo> parse(String text) {
        var total = ProcFiles.value(text, "MemTotal");
        var available = ProcFiles.value(text, "MemAvailable");
        var swapTotal = ProcFiles.value(text, "SwapTotal");
        var swapFree = ProcFiles.value(text, "SwapFree");
        return total.orElse(0) <= 0 || available.isEmpty() || swapTotal.isEmpty() || swapFree.isEmpty()
                ? Optional.empty()
                : Optional.of(new MemInfo(total.getAsLong() * KIB, available.getAsLong() * KIB,
                        swapTotal.getAsLong() * KIB, swapFree.getAsLong() * KIB));
    }

    double used() {
        return (double) (total - available) / total;
    }

    /** Returns the used part of the swap; empty without swap. */
    OptionalDouble swapUsed() {
        return swapTotal == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) (swapTotal - swapFree) / swapTotal);
    }
}
