// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.sla.MetricUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The gauges that diagnoses and validity checks use, by the names under which collectors report them. Gauges of the rule language
 * have the same names there. A part may follow in brackets, and the value is then of that part:
 * {@code threads.blocked[java.util.concurrent.Foo]}, {@code downstream.latency[payments]}, {@code pool.busy[jdbc]}.
 */
public enum KnownGauge {

    /** Used part of the CPU time that the instance may use. */
    CPU("cpu", MetricUnit.RATIO),
    /** Used part of the CPU quota of the instance's control group. */
    CPU_QUOTA("cpu.quota", MetricUnit.RATIO),
    /** Part of the quota's periods in which the instance had to wait for the next. */
    CPU_THROTTLED("cpu.throttled", MetricUnit.RATIO),
    /** Part of the machine's CPU time that the kernel used, interrupts included. */
    CPU_SYSTEM("cpu.system", MetricUnit.RATIO),
    /** 1 when two hyper-threads of a core count as two cores, else 0. */
    CPU_HYPERTHREADS("cpu.hyperthreads", MetricUnit.COUNT),
    /** Part of the time in which the hypervisor gave the CPU to others. */
    CPU_STEAL("cpu.steal", MetricUnit.RATIO),
    /** Part of the machine's CPU time that processes other than the instance use. */
    CPU_OTHERS("cpu.others", MetricUnit.RATIO),
    /** Threads of the instance that could run and wait for a CPU. */
    CPU_WAITING("cpu.waiting", MetricUnit.COUNT),
    /** Part of one core that the busiest thread uses. The threads of an interpreter that take turns count as one. */
    CPU_THREAD("cpu.thread", MetricUnit.RATIO),
    /** Used part of the memory that the instance may use. */
    MEMORY("memory", MetricUnit.RATIO),
    /** Part of the time in which some thread waited for memory (pressure stall information). */
    MEMORY_STALLED("memory.stalled", MetricUnit.RATIO),
    /** The longest stop of all threads by the garbage collector in the window. */
    GC_PAUSE("gc.pause", MetricUnit.SECONDS),
    /** CPU time that the garbage collector used in that stop. */
    GC_PAUSE_CPU("gc.pause.cpu", MetricUnit.SECONDS),
    /** Part of the window in which the garbage collector had stopped all threads. */
    GC_TIME("gc.time", MetricUnit.RATIO),
    /** Garbage collections per second. */
    GC_RATE("gc.rate", MetricUnit.COUNT),
    /** The longest pause of the process that no garbage collection caused. */
    PROCESS_PAUSE("process.pause", MetricUnit.SECONDS),
    /** Pauses of 10 ms and more in which all threads stood still, per second, by their cause, which is in brackets. */
    PAUSES_RATE("pauses.rate", MetricUnit.COUNT),
    /** Part of the time that those pauses took, by their cause, which is in brackets. */
    PAUSES_TIME("pauses.time", MetricUnit.RATIO),
    /** Seconds since the process began. */
    PROCESS_UPTIME("process.uptime", MetricUnit.SECONDS),
    /** Processes that serve the instance, by their program's name, which is in brackets. */
    PROCESS_PROGRAM("process.program", MetricUnit.COUNT),
    /** Threads that wait for a monitor. */
    THREADS_BLOCKED("threads.blocked", MetricUnit.COUNT),
    /** Threads that run the method that most threads run, which is in brackets. */
    THREADS_RUNNABLE("threads.runnable", MetricUnit.COUNT),
    /** Busy part of the threads or connections of the fullest pool. */
    POOL_BUSY("pool.busy", MetricUnit.RATIO),
    /** Requests or tasks that wait for a pool. */
    POOL_WAITING("pool.waiting", MetricUnit.COUNT), NET_TX("net.tx", MetricUnit.BYTES_PER_SECOND), NET_RX("net.rx",
            MetricUnit.BYTES_PER_SECOND),
    /** Used part of the link's speed, in the busier direction. */
    NET_LINK("net.link", MetricUnit.RATIO),
    /** Speed of the link, in each direction. */
    NET_SPEED("net.speed", MetricUnit.BYTES_PER_SECOND), DISK_BUSY("disk.busy", MetricUnit.RATIO),
    /** Part of the time in which some thread waited for a disk (pressure stall information). */
    IO_STALLED("io.stalled", MetricUnit.RATIO),
    /** Bytes that the instance has written and its clients have not acknowledged, all sockets together. */
    SOCKETS_SEND_QUEUE("sockets.send.queue", MetricUnit.COUNT),
    /** Bytes that arrived at the clients and that they have not read, all sockets together. */
    CLIENT_RECEIVE_QUEUE("client.receive.queue", MetricUnit.COUNT),
    /** Connections that the instance has not accepted. */
    SOCKETS_ACCEPT_QUEUE("sockets.accept.queue", MetricUnit.COUNT),
    /**
     * Connections by what they wait for, which is in brackets: {@code slow-client}, {@code slow-network} or
     * {@code slow-server}.
     */
    SOCKETS_CASE("sockets.case", MetricUnit.COUNT),
    /** Mean time that a request spends in calls to other services. */
    DOWNSTREAM_LATENCY("downstream.latency", MetricUnit.SECONDS),
    /** Part of one core that the busiest worker of a proxy on the collector's machine uses. */
    PROXY_CPU("proxy.cpu", MetricUnit.RATIO),
    /** Used part of the CPU time that the collector may use. */
    COLLECTOR_CPU("collector.cpu", MetricUnit.RATIO),
    /** Age of the oldest record that the collector has not counted. */
    COLLECTOR_LAG("collector.lag", MetricUnit.SECONDS),
    /** Part of the time of the collector's machine that the hypervisor gave to others. */
    COLLECTOR_STEAL("collector.steal", MetricUnit.RATIO),
    /** Part of the periods of the collector's CPU quota in which the quota was used up. */
    COLLECTOR_THROTTLED("collector.throttled", MetricUnit.RATIO),
    /** Part of the time in which a thread of the collector could not run although it should, its garbage collections left out. */
    COLLECTOR_STALLED("collector.stalled", MetricUnit.RATIO),
    /** Distance between the proxy's clock and the collector's, never negative. */
    CLOCK_OFFSET("clock.offset", MetricUnit.SECONDS),
    /** Seconds that the instance's metrics are ahead of the collector's clock, below 0 behind. Reported when they fit no window. */
    METRICS_OFFSET("metrics.offset", MetricUnit.SECONDS),
    /** Part of the requests that shared their id with another request in flight through the same proxy. */
    REQUEST_IDS_SHARED("request.ids.shared", MetricUnit.RATIO),
    /** Records of the service from proxies that no redirector lists; they are in no other figure. */
    PROXIES_UNKNOWN("proxies.unknown", MetricUnit.COUNT);

    /** Begins the names of gauges that are the latency of one of the slowest requests of a window; its trace is the part in brackets. */
    public static final String SLOW_REQUEST = "requests.slowest[";

    private static final Set<String> NAMES = Arrays.stream(values()).map(KnownGauge::gaugeName)
            .collect(Collectors.toUnmodifiableSet());

    /** Gauges whose part in brackets a diagnosis reports, each with the number of its parts that a block keeps. */
    private static final Map<KnownGauge, Integer> KEPT_PARTS = Map.of(THREADS_BLOCKED, 2, THREADS_RUNNABLE, 3,
            POOL_BUSY, 2, POOL_WAITING, 1, DOWNSTREAM_LATENCY, 3, SOCKETS_CASE, 3, PROCESS_PROGRAM, 1, PAUSES_RATE, 3,
            PAUSES_TIME, 3);

    /** Gauges that say what the instance or its machine is. */
    private static final Set<KnownGauge> CONSTANT = Set.of(PROCESS_PROGRAM, CPU_HYPERTHREADS);

    private final String gaugeName;

    private final MetricUnit unit;

    KnownGauge(String gaugeName, MetricUnit unit) {
        this.gaugeName = gaugeName;
        this.unit = unit;
    }

    /** Returns the name under which collectors report the gauge. */
    public String gaugeName() {
        return gaugeName;
    }

    /** Returns the unit of the values. */
    public MetricUnit unit() {
        return unit;
    }

    /** Returns true for the name of a gauge in this list, without a part in brackets. */
    public static boolean known(String name) {
        return NAMES.contains(name);
    }

    /** Returns true for the name of a gauge, or of its part, that does not change while the instance lives. */
    static boolean isConstant(String name) {
        return CONSTANT.stream().anyMatch(gauge -> name.startsWith(gauge.gaugeName));
    }

    /** Returns the gauge of a name whose part in brackets a diagnosis reports, such as the resource that requests wait for. */
    static Optional<KnownGauge> withNamedPart(String name) {
        return name.endsWith("]")
                ? KEPT_PARTS.keySet().stream().filter(gauge -> gauge.partOf(name).isPresent()).findFirst()
                : Optional.empty();
    }

    /** Returns the number of parts that a block keeps of a gauge that {@link #withNamedPart} returned; 0 of others. */
    int keptParts() {
        return KEPT_PARTS.getOrDefault(this, 0);
    }

    /** Returns the name of a part of this gauge. */
    public String part(String part) {
        return gaugeName + "[" + part + "]";
    }

    /** Returns the part in a name's brackets; empty when it is not a part of this gauge. */
    public Optional<String> partOf(String name) {
        return name.startsWith(gaugeName + "[") && name.endsWith("]")
                ? Optional.of(name.substring(gaugeName.length() + 1, name.length() - 1))
                : Optional.empty();
    }
}
