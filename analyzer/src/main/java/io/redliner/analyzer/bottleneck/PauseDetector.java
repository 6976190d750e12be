// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Pauses in which all threads stand still. A collection that takes much longer than the CPU time it uses was itself
 * stopped, by the operating system: its threads waited for memory to be read back from disk, or for a CPU.
 */
final class PauseDetector {

    /** Of a pause's length; a collector that runs uses at least as much CPU time as the pause lasts. */
    private static final double STOPPED_ITSELF = 0.5;

    private PauseDetector() {}

    static Stream<BottleneckCandidate> suspects(PeakIdleComparison knee) {
        double pause = knee.most(KnownGauge.GC_PAUSE);
        double cpu = knee.top(KnownGauge.GC_PAUSE_CPU) / knee.top(KnownGauge.GC_PAUSE);
        double other = knee.most(KnownGauge.PROCESS_PAUSE);
        if (Double.isNaN(pause) && Double.isNaN(other) && !knee.measured(KnownGauge.GC_TIME)) {
            return Stream.of();
        }
        double ofPauses = matters(knee, pause);
        double collecting = Math.max(ofPauses,
                0.95 * BottleneckCandidate.rise(knee.top(KnownGauge.GC_TIME), 0.05, 0.25)
                        * knee.follows(KnownGauge.GC_TIME));
        double byOthers = Double.isNaN(cpu) ? 0 : 1 - BottleneckCandidate.rise(cpu, 0.2, STOPPED_ITSELF);
        double stopped = ofPauses * byOthers;
        var figures = figures(knee, pause, other);
        return Stream.of(
                new BottleneckCandidate(BottleneckKind.GARBAGE_COLLECTION, collecting * (1 - byOthers),
                        collectorWords(knee, pause),
                        figures),
                new BottleneckCandidate(BottleneckKind.OPERATING_SYSTEM_PAUSES, Math.max(stopped, matters(knee, other)),
                        systemWords(knee, pause, other, stopped, cpu), figures));
    }

    /** Pauses end a run when they are as long as the latency limit and most broken windows have one. */
    private static double matters(PeakIdleComparison knee, double pause) {
        double limit = knee.evidence().latencyLimitSeconds();
        if (Double.isNaN(pause) || limit <= 0) {
            return 0;
        }
        long broken = knee.evidence().blocks().stream().mapToLong(block -> block.breached()).sum();
        long paused = knee.evidence().blocks().stream().mapToLong(block -> block.stoodStill()).sum();
        double inBreaches = broken == 0 ? 0 : (double) paused / broken;
        return 0.9 * BottleneckCandidate.rise(pause / limit, 0.4, 1) * BottleneckCandidate.rise(inBreaches, 0.2, 0.7);
    }

    private static String collectorWords(PeakIdleComparison knee, double pause) {
        return "the garbage collector stopped the instance for up to " + NamedValue.words(pause, Unit.SECONDS)
                + (knee.measured(KnownGauge.GC_TIME)
                        ? " and for " + NamedValue.words(knee.top(KnownGauge.GC_TIME), Unit.RATIO) + " of the time"
                        : "")
                + HostSaturationDetector.load(knee) + inBreaches(knee);
    }

    private static String systemWords(PeakIdleComparison knee, double pause, double other, double stopped, double cpu) {
        if (stopped > 0) {
            return "pauses of up to " + NamedValue.words(pause, Unit.SECONDS) + " used CPU for only "
                    + NamedValue.words(cpu, Unit.RATIO)
                    + " of their length: the operating system stopped the collector (swapping, disk or a busy host)"
                    + inBreaches(knee);
        }
        return "the process stood still for up to " + NamedValue.words(other, Unit.SECONDS)
                + " without a collection" + HostSaturationDetector.load(knee) + inBreaches(knee);
    }

    private static String inBreaches(PeakIdleComparison knee) {
        long broken = knee.evidence().blocks().stream().mapToLong(block -> block.breached()).sum();
        long paused = knee.evidence().blocks().stream().mapToLong(block -> block.stoodStill()).sum();
        return "; " + paused + " of " + broken + " broken windows have such a pause";
    }

    private static List<NamedValue> figures(PeakIdleComparison knee, double pause, double other) {
        var figures = new ArrayList<NamedValue>();
        if (!Double.isNaN(pause)) {
            figures.add(BottleneckCandidate.figure(KnownGauge.GC_PAUSE, pause));
        }
        if (!Double.isNaN(other)) {
            figures.add(BottleneckCandidate.figure(KnownGauge.PROCESS_PAUSE, other));
        }
        for (var gauge : List.of(KnownGauge.GC_TIME, KnownGauge.GC_RATE, KnownGauge.GC_PAUSE_CPU)) {
            if (knee.measured(gauge)) {
                figures.add(BottleneckCandidate.figure(gauge, knee.top(gauge)));
            }
        }
        return figures;
    }
}
