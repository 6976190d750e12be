// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.sla.MetricUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The measurements that a diagnosis and the validity of a run are made from, by the names that collectors report them
 * under. Those of the rule language keep its names. A name may be made finer in brackets, with the same meaning for a part:
 * {@code threads.blocked[java.util.concurrent.Foo]}, {@code downstream.latency[payments]}, {@code pool.busy[jdbc]}.
 */
public enum KnownGauge {

    /** Of the CPU time that the instance may use. */
    CPU("cpu", MetricUnit.RATIO),
    /** Of the quota of its control group. */
    CPU_QUOTA("cpu.quota", MetricUnit.RATIO),
    /** Part of the quota's periods in which the instance had to wait for the next. */
    CPU_THROTTLED("cpu.throttled", MetricUnit.RATIO),
    /** Part of the time in which the hypervisor gave the CPU to others. */
    CPU_STEAL("cpu.steal", MetricUnit.RATIO),
    /** Of one core, by the busiest thread. */
    CPU_THREAD("cpu.thread", MetricUnit.RATIO),
    /** Of the memory that the instance may use. */
    MEMORY("memory", MetricUnit.RATIO),
    /** Part of the time in which some thread waited for memory (pressure stall information). */
    MEMORY_STALLED("memory.stalled", MetricUnit.RATIO),
    /** The longest stop of all threads by the garbage collector in the window. */
    GC_PAUSE("gc.pause", MetricUnit.SECONDS),
    /** CPU time that the collector used in that stop. */
    GC_PAUSE_CPU("gc.pause.cpu", MetricUnit.SECONDS),
    /** Part of the window in which the collector had stopped all threads. */
    GC_TIME("gc.time", MetricUnit.RATIO),
    /** Collections per second. */
    GC_RATE("gc.rate", MetricUnit.COUNT),
    /** The longest time for which the process stood still and no collection was the cause. */
    PROCESS_PAUSE("process.pause", MetricUnit.SECONDS),
    /** Seconds since the process began. */
    PROCESS_UPTIME("process.uptime", MetricUnit.SECONDS),
    /** Threads that wait for a monitor. */
    THREADS_BLOCKED("threads.blocked", MetricUnit.COUNT),
    /** Of the threads or connections of the fullest pool. */
    POOL_BUSY("pool.busy", MetricUnit.RATIO),
    /** Requests or tasks that wait for a pool. */
    POOL_WAITING("pool.waiting", MetricUnit.COUNT), NET_TX("net.tx", MetricUnit.BYTES_PER_SECOND), NET_RX("net.rx",
            MetricUnit.BYTES_PER_SECOND),
    /** Of the link's speed, by the busier direction. */
    NET_LINK("net.link", MetricUnit.RATIO),
    /** Of the link, each direction. */
    NET_SPEED("net.speed", MetricUnit.BYTES_PER_SECOND), DISK_BUSY("disk.busy", MetricUnit.RATIO),
    /** Bytes that the instance has written and its clients have not acknowledged, all sockets together. */
    SOCKETS_SEND_QUEUE("sockets.send.queue", MetricUnit.COUNT),
    /** Bytes that arrived at the instance and that it has not read, all sockets together. */
    SOCKETS_RECEIVE_QUEUE("sockets.receive.queue", MetricUnit.COUNT),
    /** Bytes that arrived at the clients and that they have not read, all sockets together. */
    CLIENT_RECEIVE_QUEUE("client.receive.queue", MetricUnit.COUNT),
    /**
     * Connections by what they wait for, which is in brackets: {@code slow-client}, {@code slow-network} or
     * {@code slow-server}.
     */
    SOCKETS_CASE("sockets.case", MetricUnit.COUNT),
    /** Mean time that a request spends in calls to other services. */
    DOWNSTREAM_LATENCY("downstream.latency", MetricUnit.SECONDS),
    /** CPU of the collector, of what it may use. */
    COLLECTOR_CPU("collector.cpu", MetricUnit.RATIO),
    /** Age of the oldest record that the collector has not counted. */
    COLLECTOR_LAG("collector.lag", MetricUnit.SECONDS),
    /** Part of the time of the collector's machine that the hypervisor gave to others. */
    COLLECTOR_STEAL("collector.steal", MetricUnit.RATIO),
    /** Part of the periods of the collector's CPU quota in which it was used up. */
    COLLECTOR_THROTTLED("collector.throttled", MetricUnit.RATIO),
    /** How far the proxy's clock is from the collector's, either way. */
    CLOCK_OFFSET("clock.offset", MetricUnit.SECONDS),
    /** How far the times of the instance's metrics are ahead of the collector's clock, below 0 behind; where they fit no window. */
    METRICS_OFFSET("metrics.offset", MetricUnit.SECONDS),
    /** Part of the requests whose id others had that were in flight through the same proxy. */
    REQUEST_IDS_SHARED("request.ids.shared", MetricUnit.RATIO),
    /** Records of the service from proxies that no redirector lists; they are in no other figure. */
    PROXIES_UNKNOWN("proxies.unknown", MetricUnit.COUNT);

    private static final Set<String> NAMES = Arrays.stream(values()).map(KnownGauge::gaugeName)
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<KnownGauge> NAMED = Set.of(THREADS_BLOCKED, POOL_BUSY, POOL_WAITING, DOWNSTREAM_LATENCY,
            SOCKETS_CASE);

    private final String gaugeName;

    private final MetricUnit unit;

    KnownGauge(String gaugeName, MetricUnit unit) {
        this.gaugeName = gaugeName;
        this.unit = unit;
    }

    /** As it is reported. */
    public String gaugeName() {
        return gaugeName;
    }

    /** Of its values. */
    public MetricUnit unit() {
        return unit;
    }

    /** Whether this is the plain name of one of these. */
    public static boolean known(String name) {
        return NAMES.contains(name);
    }

    /** Whether it is a finer name whose brackets are worth reporting: the resource that is waited for, or its user. */
    static boolean namesPart(String name) {
        return NAMED.stream().anyMatch(gauge -> gauge.partOf(name).isPresent());
    }

    /** The finer name of a part. */
    public String part(String part) {
        return gaugeName + "[" + part + "]";
    }

    /** What a finer name says in its brackets; empty when it is not a finer name of this gauge. */
    public Optional<String> partOf(String name) {
        return name.startsWith(gaugeName + "[") && name.endsWith("]")
                ? Optional.of(name.substring(gaugeName.length() + 1, name.length() - 1))
                : Optional.empty();
    }
}
