// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

/** The measurements that are made of known series, and how several series are put together. */
enum MappedGauge {

    CPU("cpu", Way.SUM),
    /** Heap only: what else the process takes the machine knows. A part's name, for a full heap is not a full machine. */
    HEAP("memory[heap]", Way.RATIO),
    /** Of {@code gc.pause}, {@code gc.time} and {@code gc.rate}, see {@link GcActivity}. */
    GARBAGE("gc", Way.COLLECTIONS), THREADS_BLOCKED("threads.blocked", Way.SUM), UPTIME("process.uptime",
            Way.SUM),
    /** The plain name is of the fullest pool. */
    POOL_BUSY("pool.busy", Way.RATIO), POOL_WAITING("pool.waiting", Way.SUM), DOWNSTREAM("downstream.latency",
            Way.MEAN), NET_TX("net.tx", Way.SUM), NET_RX("net.rx", Way.SUM), DISK_BUSY("disk.busy", Way.MAX);

    private final String gauge;

    private final Way way;

    MappedGauge(String gauge, Way way) {
        this.gauge = gauge;
        this.way = way;
    }

    String gauge() {
        return gauge;
    }

    Way way() {
        return way;
    }

    /** How series of one part become its value, and those of the parts the plain one. */
    enum Way {
        /** Added up. */
        SUM,
        /** The largest. */
        MAX,
        /** Of what is used, by what there is; the plain one is the largest. */
        RATIO,
        /** Of the sums, by the counts. */
        MEAN,
        /** Pauses. */
        COLLECTIONS
    }
}
