// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import java.util.BitSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contents of {@code proc/stat}.
 *
 * @param cores by number; those that are switched off are missing
 * @param contextSwitches of all cores since the machine began
 */
record ProcStat(SortedMap<Integer, CpuTimes> cores, long contextSwitches) {

    private static final int USER = 1;

    private static final int SYSTEM = 3;

    private static final int IDLE = 4;

    private static final int STEAL = 8;

    /** Parses {@code proc/stat}; empty when the text is no such file. */
    static Optional<ProcStat> parse(String text) {
        SortedMap<Integer, CpuTimes> cores = new TreeMap<>();
        for (int begin = 0; text.startsWith("cpu", begin);) {
            int end = text.indexOf('\n', begin);
            if (end < 0) {
                return Optional.empty();
            }
            String[] fields = text.substring(begin + 3, end).split(" ", -1);
            begin = end + 1;
            if (fields[0].isEmpty()) {
                // The sum of all. It is made from the cores instead, of which the instance may not have all.
                continue;
            }
            try {
                cores.put(Integer.parseInt(fields[0]), times(fields));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
        var switches = ProcFiles.value(text, "ctxt");
        return cores.isEmpty() || switches.isEmpty()
                ? Optional.empty()
                : Optional.of(new ProcStat(cores, switches.getAsLong()));
    }

    /** Returns the sum of the times of some cores. */
    CpuTimes of(BitSet some) {
        return cores.entrySet().stream().filter(core -> some.get(core.getKey())).map(core -> core.getValue())
                .reduce(CpuTimes.NONE, CpuTimes::plus);
    }

    /** Sums up user nice system idle iowait irq softirq steal; user includes the time of guests. */
    private static CpuTimes times(String[] fields) {
        long[] ticks = new long[STEAL + 1];
        for (int field = USER; field <= STEAL && field < fields.length; field++) {
            ticks[field] = Long.parseLong(fields[field]);
        }
        long system = ticks[SYSTEM] + ticks[6] + ticks[7];
        return new CpuTimes(ticks[1] + ticks[2] + system, system, ticks[IDLE] + ticks[IDLE + 1], ticks[STEAL]);
    }

    /**
     * The times that one or several cores spent since the machine began, in hundredths of a second.
     *
     * @param busy at work, for the system, users and guests
     * @param system of {@code busy}, at work for the kernel, interrupts included
     * @param idle with nothing to do, or nothing but to wait for a disk
     * @param steal while the hypervisor gave the core to others
     */
    record CpuTimes(long busy, long system, long idle, long steal) {

        static final CpuTimes NONE = new CpuTimes(0, 0, 0, 0);

        CpuTimes plus(CpuTimes other) {
            return new CpuTimes(busy + other.busy, system + other.system, idle + other.idle, steal + other.steal);
        }
    }
}
