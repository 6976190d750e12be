// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A control group that may have a quota of CPU time.
 *
 * @param unified whether it is of version 2
 * @param folder where its files are
 * @param accounts where the files of the {@code cpuacct} controller are, with version 1; the same with version 2
 */
record CpuCgroup(boolean unified, Path folder, Path accounts) {

    /** Returns the quota in cores: infinite without a quota, NaN when there is one that cannot be read. */
    double quota() {
        if (unified) {
            return ProcFiles.text(folder.resolve("cpu.max")).map(CpuCgroup::quota).orElse(Double.POSITIVE_INFINITY);
        }
        Path quota = folder.resolve("cpu.cfs_quota_us");
        return ProcFiles.text(quota).isEmpty()
                ? Double.POSITIVE_INFINITY
                : quota(ProcFiles.number(quota), ProcFiles.number(folder.resolve("cpu.cfs_period_us")));
    }

    /** Returns the usage; empty when it cannot be read. */
    Optional<Usage> usage() {
        Optional<String> stat = ProcFiles.text(folder.resolve("cpu.stat"));
        return unified
                ? stat.flatMap(CpuCgroup::usage)
                : stat.flatMap(text -> usage(text, ProcFiles.number(accounts.resolve("cpuacct.usage"))));
    }

    /** Parses {@code cpu.max} of version 2, which has the quota or {@code max}, and the period. Returns cores. */
    static double quota(String max) {
        String[] fields = max.strip().split(" ", -1);
        if (fields[0].equals("max")) {
            return Double.POSITIVE_INFINITY;
        }
        return fields.length == 2 ? quota(ProcFiles.number(fields[0]), ProcFiles.number(fields[1])) : Double.NaN;
    }

    /** Computes cores from quota and period of version 1, where a quota below 0 means none. */
    static double quota(OptionalLong micros, OptionalLong period) {
        if (micros.isPresent() && micros.getAsLong() < 0) {
            return Double.POSITIVE_INFINITY;
        }
        return micros.orElse(0) == 0 || period.orElse(0) <= 0
                ? Double.NaN
                : (double) micros.getAsLong() / period.getAsLong();
    }

    /** Parses {@code cpu.stat} of version 2. */
    static Optional<Usage> usage(String stat) {
        OptionalLong micros = ProcFiles.value(stat, "usage_usec");
        return usage(stat, micros.isEmpty() ? micros : OptionalLong.of(micros.getAsLong() * 1_000));
    }

    /** Combines {@code cpu.stat} and {@code cpuacct.usage} of version 1. */
    static Optional<Usage> usage(String stat, OptionalLong nanos) {
        OptionalLong periods = ProcFiles.value(stat, "nr_periods");
        OptionalLong throttled = ProcFiles.value(stat, "nr_throttled");
        return nanos.isEmpty() || periods.isEmpty() || throttled.isEmpty()
                ? Optional.empty()
                : Optional.of(new Usage(nanos.getAsLong(), periods.getAsLong(), throttled.getAsLong()));
    }

    /**
     * Usage since the group exists.
     *
     * @param nanos CPU time that the group used
     * @param periods periods of the quota in which the group wanted to run
     * @param throttled periods among those in which the group had to wait for the next
     */
    record Usage(long nanos, long periods, long throttled) {}
}
