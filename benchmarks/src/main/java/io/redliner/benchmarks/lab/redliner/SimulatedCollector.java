// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.traffic.FleetWindow;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.OverdueRequests;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The collector's part: what it would say of a window of the fleet. */
final class SimulatedCollector {

    static final String SUT = "10.0.0.1:8080";

    /** Those that are not simulated. */
    private static final String OTHERS = "10.0.1.1:8080";

    private static final String COLLECTOR = "lab";

    /** The machine of the server under test. */
    private static final String HOST = "host-1";

    private static final int PRECISION = 3;

    private static final int SECONDS_BEFORE = 120;

    /** Part of the machine that others use when it is quiet, such as the proxy. */
    private static final double NATURAL_OTHERS = 0.2;

    private final Duration limit;

    private final Duration timeout;

    private final Duration length;

    /** 0 when nothing is reported of them. */
    private final int workers;

    private final int neighbours;

    private long sequence;

    /** Start of the first window, since the epoch; negative before it. */
    private long begin = -1;

    SimulatedCollector(ServerKind kind, Duration length) {
        this(kind, length, false, 0);
    }

    /**
     * @param cpu true when the part of the workers' time that is used is reported as CPU
     * @param neighbours the first peers of which it is reported that they are on the machine of the server under test
     */
    SimulatedCollector(ServerKind kind, Duration length, boolean cpu, int neighbours) {
        this.neighbours = neighbours;
        this.workers = cpu ? kind.workers() : 0;
        this.limit = ofSeconds(kind.limitSeconds());
        this.timeout = ofSeconds(kind.queue().timeoutSeconds());
        this.length = length;
    }

    List<InstanceObservation> observations(FleetWindow window, long startMillis) {
        var observations = new ArrayList<InstanceObservation>();
        observations.add(observation(SUT, startMillis, window.sut(),
                Map.of("cpu.steal", 0.0, "cpu.others", NATURAL_OTHERS + window.signs().stolen(), "collector.stalled",
                        window.signs().stalled()),
                neighbours > 0));
        for (var peer : window.peers()) {
            observations.add(observation("10.0.0." + (observations.size() + 1) + ":8080", startMillis, peer, Map.of(),
                    observations.size() <= neighbours));
        }
        boolean alone = window.peers().isEmpty();
        if (begin < 0) {
            begin = startMillis;
        }
        observations.add(new InstanceObservation(COLLECTOR, ++sequence, OTHERS, startMillis,
                alone
                        ? new InstanceMeasurements(healthy(window.otherRequests()), 0, 0, List.of(),
                                List.of(healthyBefore(begin)), Set.of())
                        : new InstanceMeasurements(counted(window.otherRequests()), 0)));
        return observations;
    }

    private InstanceObservation observation(String instance, long startMillis, ServerWindowCounts counts,
            Map<String, Double> gauges, boolean onHost) {
        return new InstanceObservation(COLLECTOR, ++sequence, instance, startMillis,
                new InstanceMeasurements(measured(counts, gauges), counts.inFlight(), 0, List.of(), List.of(),
                        onHost ? Set.of(HOST) : Set.of()));
    }

    private WindowStats measured(ServerWindowCounts counts, Map<String, Double> gauges) {
        var latency = new Histogram(PRECISION);
        counts.latencyMicros().forEach(latency::recordValue);
        if (counts.timeouts() > 0) {
            latency.recordValueWithCount(micros(timeout), counts.timeouts());
        }
        return new WindowStats(length, counts.arrivals(), counts.completed(), counts.errors(), counts.timeouts(),
                latency,
                List.of(new OverdueRequests(limit, counts.newlyOverdue(), counts.settled())),
                withCpu(gauges, counts));
    }

    private Map<String, Double> withCpu(Map<String, Double> gauges, ServerWindowCounts counts) {
        if (workers == 0) {
            return gauges;
        }
        var all = new TreeMap<>(gauges);
        all.put("cpu", Math.min(1, counts.busyWorkerSeconds() / (workers * length.toNanos() / 1e9)));
        return all;
    }

    /** Others are far from their limits: half at a twentieth, the rest at a tenth. */
    private WindowStats healthy(long requests) {
        var latency = new Histogram(PRECISION);
        latency.recordValueWithCount(micros(limit) / 10, requests - requests / 2);
        latency.recordValueWithCount(micros(limit) / 20, requests / 2);
        return new WindowStats(length, requests, requests, 0, 0, latency, List.of(new OverdueRequests(limit, 0, 0)),
                Map.of());
    }

    /** The same for two minutes before the test, so that nobody has to watch them first. */
    private LatencyHistory healthyBefore(long untilMillis) {
        double slow = Math.log(micros(limit) / 10.0);
        double fast = Math.log(micros(limit) / 20.0);
        var part = new LatencyHistory.Part(100, (slow + fast) / 2, (slow - fast) * (slow - fast) / 4);
        return new LatencyHistory(untilMillis - 1_000L * SECONDS_BEFORE, 1_000,
                Collections.nCopies(SECONDS_BEFORE, part));
    }

    /** Nobody knows how long they took. */
    private WindowStats counted(long requests) {
        return new WindowStats(length, requests, 0, 0, 0, new Histogram(PRECISION), List.of(), Map.of());
    }

    private static Duration ofSeconds(double seconds) {
        return Duration.ofMillis(Math.round(1_000 * seconds));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
