// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.diagnosis;

import io.redliner.analyzer.evidence.Gauge;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Pauses in which all threads stand still. A collection that takes much longer than the CPU time it uses was itself
 * stopped, by the operating system: its threads waited for memory to be read back from disk, or for a CPU.
 */
final class Standstill {

    /** Of a pause's length; a collector that runs uses at least as much CPU time as the pause lasts. */
    private static final double STOPPED_ITSELF = 0.5;

    private Standstill() {}

    static Stream<Suspect> suspects(Knee knee) {
        double pause = knee.most(Gauge.GC_PAUSE);
        double cpu = knee.top(Gauge.GC_PAUSE_CPU) / knee.top(Gauge.GC_PAUSE);
        double other = knee.most(Gauge.PROCESS_PAUSE);
        if (Double.isNaN(pause) && Double.isNaN(other) && !knee.measured(Gauge.GC_TIME)) {
            return Stream.of();
        }
        double ofPauses = matters(knee, pause);
        double collecting = Math.max(ofPauses,
                0.95 * Suspect.rise(knee.top(Gauge.GC_TIME), 0.05, 0.25) * knee.follows(Gauge.GC_TIME));
        double byOthers = Double.isNaN(cpu) ? 0 : 1 - Suspect.rise(cpu, 0.2, STOPPED_ITSELF);
        double stopped = ofPauses * byOthers;
        var figures = figures(knee, pause, other);
        return Stream.of(
                new Suspect(Resource.GARBAGE_COLLECTION, collecting * (1 - byOthers), collectorWords(knee, pause),
                        figures),
                new Suspect(Resource.OPERATING_SYSTEM_PAUSES, Math.max(stopped, matters(knee, other)),
                        systemWords(knee, pause, other, stopped, cpu), figures));
    }

    /** Pauses end a run when they are as long as the latency limit and most broken windows have one. */
    private static double matters(Knee knee, double pause) {
        double limit = knee.evidence().latencyLimitSeconds();
        if (Double.isNaN(pause) || limit <= 0) {
            return 0;
        }
        long broken = knee.evidence().blocks().stream().mapToLong(block -> block.breached()).sum();
        long paused = knee.evidence().blocks().stream().mapToLong(block -> block.stoodStill()).sum();
        double inBreaches = broken == 0 ? 0 : (double) paused / broken;
        return 0.9 * Suspect.rise(pause / limit, 0.4, 1) * Suspect.rise(inBreaches, 0.2, 0.7);
    }

    private static String collectorWords(Knee knee, double pause) {
        return "the garbage collector stopped the instance for up to " + Figure.words(pause, Unit.SECONDS)
                + (knee.measured(Gauge.GC_TIME)
                        ? " and for " + Figure.words(knee.top(Gauge.GC_TIME), Unit.RATIO) + " of the time"
                        : "")
                + Machine.load(knee) + inBreaches(knee);
    }

    private static String systemWords(Knee knee, double pause, double other, double stopped, double cpu) {
        if (stopped > 0) {
            return "pauses of up to " + Figure.words(pause, Unit.SECONDS) + " used CPU for only "
                    + Figure.words(cpu, Unit.RATIO)
                    + " of their length: the operating system stopped the collector (swapping, disk or a busy host)"
                    + inBreaches(knee);
        }
        return "the process stood still for up to " + Figure.words(other, Unit.SECONDS)
                + " without a collection" + Machine.load(knee) + inBreaches(knee);
    }

    private static String inBreaches(Knee knee) {
        long broken = knee.evidence().blocks().stream().mapToLong(block -> block.breached()).sum();
        long paused = knee.evidence().blocks().stream().mapToLong(block -> block.stoodStill()).sum();
        return "; " + paused + " of " + broken + " broken windows have such a pause";
    }

    private static List<Figure> figures(Knee knee, double pause, double other) {
        var figures = new ArrayList<Figure>();
        if (!Double.isNaN(pause)) {
            figures.add(Suspect.figure(Gauge.GC_PAUSE, pause));
        }
        if (!Double.isNaN(other)) {
            figures.add(Suspect.figure(Gauge.PROCESS_PAUSE, other));
        }
        for (var gauge : List.of(Gauge.GC_TIME, Gauge.GC_RATE, Gauge.GC_PAUSE_CPU)) {
            if (knee.measured(gauge)) {
                figures.add(Suspect.figure(gauge, knee.top(gauge)));
            }
        }
        return figures;
    }
}
