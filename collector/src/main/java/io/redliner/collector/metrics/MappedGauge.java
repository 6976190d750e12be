// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

/** The gauges that are computed from known series, and how several series are combined. */
enum MappedGauge {

    CPU("cpu", Way.SUM),
    /**
     * The heap only: the machine's values cover the rest of the process. The gauge is a part of {@code memory}, because a full heap
     * is not a full machine.
     */
    HEAP("memory[heap]", Way.RATIO),
    /** The measurements {@code gc.pause}, {@code gc.time} and {@code gc.rate}, see {@link GcActivity}. */
    GARBAGE("gc", Way.COLLECTIONS), THREADS_BLOCKED("threads.blocked", Way.SUM), UPTIME("process.uptime",
            Way.SUM),
    /** The gauge without a part is that of the fullest pool. */
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

    /** How the series of one part are combined into its value, and the values of the parts into the plain one. */
    enum Way {
        /** Sums the values. */
        SUM,
        /** Takes the largest value. */
        MAX,
        /** Divides the used amount by the available one; the value without a part is the largest. */
        RATIO,
        /** Divides the sums by the counts. */
        MEAN,
        /** Combines pauses. */
        COLLECTIONS
    }
}
