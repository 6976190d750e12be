// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import java.util.BitSet;
import java.util.Optional;

/** Parses the kernel's lists of cores, such as {@code 0-3,8}. */
final class CpuList {

    private static final int MAX_CPUS = 1 << 16;

    private CpuList() {}

    /** Returns the cores that a process may use, from its {@code status}. */
    static Optional<BitSet> allowed(String status) {
        for (String line : status.split("\n", -1)) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return parse(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return Optional.empty();
    }

    static Optional<BitSet> parse(String list) {
        BitSet cores = new BitSet();
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", 2);
            var first = ProcFiles.number(ends[0]);
            var last = ProcFiles.number(ends[ends.length - 1]);
            if (first.isEmpty() || last.isEmpty() || first.getAsLong() < 0 || last.getAsLong() < first.getAsLong()
                    || last.getAsLong() > MAX_CPUS) {
                return Optional.empty();
            }
            cores.set((int) first.getAsLong(), (int) last.getAsLong() + 1);
        }
        return Optional.of(cores);
    }
}
