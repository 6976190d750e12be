// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the machine has: CPU, memory, network and disk. Each is full or it is not. */
final class HostSaturationDetector {

    /** Links are sold with these speeds, in Gbit/s. */
    private static final double[] LINKS = {0.1, 1, 2.5, 5, 10, 25, 40, 100};

    private static final double BYTES_PER_SECOND = 1e9 / 8;

    private HostSaturationDetector() {}

    static Stream<BottleneckCandidate> suspects(PeakIdleComparison knee) {
        return Stream.of(cpu(knee), quota(knee), memory(knee), network(knee), disk(knee)).flatMap(Optional::stream);
    }

    private static Optional<BottleneckCandidate> cpu(PeakIdleComparison knee) {
        var full = full(knee, KnownGauge.CPU, BottleneckKind.CPU, "the CPU", 0.7, 0.9);
        var thread = full(knee, KnownGauge.CPU_THREAD, BottleneckKind.CPU, "one core, by a single thread,", 0.85, 0.98);
        var stolen = Optional.of(knee).filter(it -> it.measured(KnownGauge.CPU_STEAL))
                .map(it -> new BottleneckCandidate(BottleneckKind.CPU,
                        0.8 * BottleneckCandidate.rise(it.top(KnownGauge.CPU_STEAL), 0.05, 0.25),
                        "the hypervisor gave " + NamedValue.words(it.top(KnownGauge.CPU_STEAL), Unit.RATIO)
                                + " of the CPU's time to others" + load(it),
                        List.of(BottleneckCandidate.figure(KnownGauge.CPU_STEAL, it.top(KnownGauge.CPU_STEAL)))));
        return Stream.of(full, thread, stolen).flatMap(Optional::stream)
                .reduce((a, b) -> b.strength() > a.strength() ? b : a);
    }

    private static Optional<BottleneckCandidate> quota(PeakIdleComparison knee) {
        var full = full(knee, KnownGauge.CPU_QUOTA, BottleneckKind.CPU_QUOTA, "the CPU quota of the control group",
                0.75, 0.95);
        double throttled = knee.top(KnownGauge.CPU_THROTTLED);
        if (Double.isNaN(throttled)) {
            return full;
        }
        var waits = new BottleneckCandidate(BottleneckKind.CPU_QUOTA,
                0.95 * BottleneckCandidate.rise(throttled, 0.02, 0.2) * knee.follows(KnownGauge.CPU_THROTTLED),
                "the CPU quota is used up: in " + NamedValue.words(throttled, Unit.RATIO)
                        + " of its periods the instance waited for the next" + load(knee),
                List.of(BottleneckCandidate.figure(KnownGauge.CPU_THROTTLED, throttled)));
        return Optional.of(full.filter(used -> used.strength() > waits.strength())
                .map(used -> used.with(waits.figures()))
                .orElse(full.map(used -> waits.with(used.figures())).orElse(waits)));
    }

    private static Optional<BottleneckCandidate> memory(PeakIdleComparison knee) {
        double stalled = knee.top(KnownGauge.MEMORY_STALLED);
        double used = knee.top(KnownGauge.MEMORY);
        if (Double.isNaN(stalled) && Double.isNaN(used)) {
            return Optional.empty();
        }
        var figures = new ArrayList<NamedValue>();
        double strength = 0;
        var words = new ArrayList<String>();
        if (!Double.isNaN(used)) {
            // A heap is meant to be used: full memory alone says little.
            strength = 0.6 * BottleneckCandidate.rise(used, 0.9, 0.98) * knee.follows(KnownGauge.MEMORY);
            figures.add(BottleneckCandidate.figure(KnownGauge.MEMORY, used));
            words.add("memory was used to " + NamedValue.words(used, Unit.RATIO) + " (at rest "
                    + NamedValue.words(knee.rest(KnownGauge.MEMORY), Unit.RATIO) + ")");
        }
        if (!Double.isNaN(stalled)) {
            strength = Math.max(strength,
                    0.95 * BottleneckCandidate.rise(stalled, 0.05, 0.3) * knee.follows(KnownGauge.MEMORY_STALLED));
            figures.add(BottleneckCandidate.figure(KnownGauge.MEMORY_STALLED, stalled));
            words.add("threads waited for memory " + NamedValue.words(stalled, Unit.RATIO) + " of the time");
        }
        return Optional.of(new BottleneckCandidate(BottleneckKind.MEMORY, strength,
                String.join(", ", words) + load(knee), figures));
    }

    private static Optional<BottleneckCandidate> network(PeakIdleComparison knee) {
        double bytes = Stream.of(KnownGauge.NET_TX, KnownGauge.NET_RX).map(knee::top).filter(Double::isFinite)
                .max(Double::compare).orElse(Double.NaN);
        var figures = Double.isNaN(bytes)
                ? List.<NamedValue>of()
                : List.of(new NamedValue("net.bytes", bytes, Unit.BYTES_PER_SECOND));
        var told = full(knee, KnownGauge.NET_LINK, BottleneckKind.NETWORK_BANDWIDTH, "the network link", 0.75, 0.92)
                .map(suspect -> suspect.with(figures));
        if (Double.isNaN(bytes)) {
            return told;
        }
        var gauge = bytes == knee.top(KnownGauge.NET_TX) ? KnownGauge.NET_TX : KnownGauge.NET_RX;
        var reckoned = againstSpeed(knee, gauge, bytes);
        if (told.isEmpty() && reckoned.isEmpty()) {
            return usualLink(knee, gauge, bytes).map(suspect -> suspect.with(figures));
        }
        return Stream.of(told, reckoned.map(suspect -> suspect.with(figures))).flatMap(Optional::stream)
                .reduce((a, b) -> b.strength() > a.strength() ? b : a);
    }

    private static Optional<BottleneckCandidate> againstSpeed(PeakIdleComparison knee, KnownGauge gauge, double bytes) {
        double speed = knee.top(KnownGauge.NET_SPEED);
        if (!(speed > 0)) {
            return Optional.empty();
        }
        double used = bytes / speed;
        return Optional.of(new BottleneckCandidate(BottleneckKind.NETWORK_BANDWIDTH,
                0.95 * BottleneckCandidate.rise(used, 0.75, 0.92) * knee.follows(gauge),
                NamedValue.words(bytes, Unit.BYTES_PER_SECOND) + " were moved over a link of "
                        + NamedValue.words(speed, Unit.BYTES_PER_SECOND) + " (" + NamedValue.words(used, Unit.RATIO)
                        + ")"
                        + load(knee),
                List.of()));
    }

    /** The link's speed is not known; but bytes that stop growing just below a speed that links have are a sign. */
    private static Optional<BottleneckCandidate> usualLink(PeakIdleComparison knee, KnownGauge gauge, double bytes) {
        for (double gigabits : LINKS) {
            double used = bytes / (gigabits * BYTES_PER_SECOND);
            if (used > 0.9 && used <= 1.001 && knee.most(gauge) <= 1.1 * bytes && knee.latencyGrowth() > 1.2) {
                return Optional.of(new BottleneckCandidate(BottleneckKind.NETWORK_BANDWIDTH, 0.55 * knee.follows(gauge),
                        NamedValue.words(bytes, Unit.BYTES_PER_SECOND) + " were moved" + load(knee)
                                + ", which is what a link of " + NamedValue.words(gigabits, Unit.COUNT)
                                + " Gbit/s carries; its speed was not measured",
                        List.of()));
            }
        }
        return Optional.empty();
    }

    private static Optional<BottleneckCandidate> disk(PeakIdleComparison knee) {
        return full(knee, KnownGauge.DISK_BUSY, BottleneckKind.DISK, "the disk", 0.8, 0.97);
    }

    private static Optional<BottleneckCandidate> full(PeakIdleComparison knee, KnownGauge gauge,
            BottleneckKind resource, String name, double from,
            double to) {
        double used = knee.top(gauge);
        if (Double.isNaN(used)) {
            return Optional.empty();
        }
        var law = UtilisationLaw.fit(knee, gauge);
        var figures = new ArrayList<>(List.of(BottleneckCandidate.figure(gauge, used)));
        double rest = knee.rest(gauge);
        if (!Double.isNaN(rest)) {
            figures.add(new NamedValue(gauge.gaugeName() + ".rest", rest, gauge.unit()));
        }
        law.ifPresent(it -> figures.addAll(it.figures()));
        return Optional.of(
                new BottleneckCandidate(resource, 0.95 * BottleneckCandidate.rise(used, from, to) * knee.follows(gauge),
                        name + " was used to " + NamedValue.words(used, Unit.RATIO) + load(knee) + " (at rest "
                                + NamedValue.words(rest, Unit.RATIO) + ")" + law.map(UtilisationLaw::words).orElse(""),
                        figures));
    }

    static String load(PeakIdleComparison knee) {
        return " at " + NamedValue.words(knee.atTop().requestsPerSecond(), Unit.REQUESTS_PER_SECOND);
    }
}
