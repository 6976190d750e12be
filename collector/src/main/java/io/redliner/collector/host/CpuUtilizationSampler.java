// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;

/** How some cores are used, of which there may be others from one look to the next. For one thread. */
final class CpuUtilizationSampler {

    private BitSet last = new BitSet();

    private CounterDeltas counters = new CounterDeltas();

    /**
     * What became of their time since the last look; empty at the first one, and when there are other cores than then, since
     * the times of both do not compare.
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

    /** The same of all cores of the machine. */
    Optional<CpuUtilization> ofAll(ProcStat stat, Instant now) {
        BitSet all = new BitSet();
        stat.cores().keySet().forEach(all::set);
        return of(all, stat, now);
    }

    /** How many there were in the last look. */
    int count() {
        return last.cardinality();
    }
}
