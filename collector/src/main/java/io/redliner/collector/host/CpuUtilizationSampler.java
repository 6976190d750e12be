// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;

/** Samples the use of some cores, which may be others from one poll to the next. For one thread. */
final class CpuUtilizationSampler {

    private BitSet last = new BitSet();

    private CounterDeltas counters = new CounterDeltas();

    /**
     * Returns the use of the cores since the last poll. Empty at the first poll, and when the cores are others than then, since
     * their times do not compare.
     */
    Optional<CpuUtilization> of(BitSet some, ProcStat stat, Instant now) {
        BitSet cores = new BitSet();
        stat.cores().keySet().stream().filter(some::get).forEach(cores::set);
        if (!cores.equals(last)) {
            last = cores;
            counters = new CounterDeltas();
        }
        return CpuUtilization.since(counters, "cpu", stat.of(cores), now);
    }

    /** Returns the use of all cores of the machine. */
    Optional<CpuUtilization> ofAll(ProcStat stat, Instant now) {
        BitSet all = new BitSet();
        stat.cores().keySet().forEach(all::set);
        return of(all, stat, now);
    }

    /** Returns the number of cores in the last poll. */
    int count() {
        return last.cardinality();
    }
}
