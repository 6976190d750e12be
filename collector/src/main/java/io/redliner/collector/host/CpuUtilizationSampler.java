// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.ProcStat.CpuTimes;
import io.redliner.collector.linux.CounterDeltas;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;

/** Samples the use of some cores. The set of cores may change from one poll to the next. For one thread. */
final class CpuUtilizationSampler {

    private BitSet last = new BitSet();

    private CounterDeltas counters = new CounterDeltas();

    /**
     * Returns the use of the cores since the last poll. It is empty at the first poll, and when the set of cores has changed, because
     * the times of different cores do not compare.
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

    /**
     * The use of some cores between two polls.
     *
     * @param busy part of the time in which the cores worked, 0 to 1; time that the hypervisor took is left out
     * @param system part of the time in which the cores worked for the kernel, 0 to 1, within {@code busy}
     * @param steal part of all time that the hypervisor gave to others, 0 to 1
     * @param from time of the earlier poll
     */
    record CpuUtilization(double busy, double system, double steal, Instant from) {

        /** Returns the use since the last poll; empty at the first poll, and when no time has passed. */
        static Optional<CpuUtilization> since(CounterDeltas counters, String name, CpuTimes times, Instant now) {
            var busy = counters.read(name + ".busy", times.busy(), now);
            var system = counters.read(name + ".system", times.system(), now);
            var idle = counters.read(name + ".idle", times.idle(), now);
            var steal = counters.read(name + ".steal", times.steal(), now);
            if (busy.isEmpty() || system.isEmpty() || idle.isEmpty() || steal.isEmpty()) {
                return Optional.empty();
            }
            double had = busy.get().amount() + idle.get().amount();
            double stolen = steal.get().amount();
            if (had == 0) {
                return Optional.empty();
            }
            return Optional.of(new CpuUtilization(busy.get().amount() / had, system.get().amount() / had,
                    stolen / (had + stolen), busy.get().from()));
        }
    }
}
