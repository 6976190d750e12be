// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.diagnosis;

import io.redliner.analyzer.evidence.Gauge;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the machine has: CPU, memory, network and disk. Each is full or it is not. */
final class Machine {

    /** Links are sold with these speeds, in Gbit/s. */
    private static final double[] LINKS = {0.1, 1, 2.5, 5, 10, 25, 40, 100};

    private static final double BYTES_PER_SECOND = 1e9 / 8;

    private Machine() {}

    static Stream<Suspect> suspects(Knee knee) {
        return Stream.of(cpu(knee), quota(knee), memory(knee), network(knee), disk(knee)).flatMap(Optional::stream);
    }

    private static Optional<Suspect> cpu(Knee knee) {
        var full = full(knee, Gauge.CPU, Resource.CPU, "the CPU", 0.7, 0.9);
        var thread = full(knee, Gauge.CPU_THREAD, Resource.CPU, "one core, by a single thread,", 0.85, 0.98);
        var stolen = Optional.of(knee).filter(it -> it.measured(Gauge.CPU_STEAL)).map(it -> new Suspect(Resource.CPU,
                0.8 * Suspect.rise(it.top(Gauge.CPU_STEAL), 0.05, 0.25),
                "the hypervisor gave " + Figure.words(it.top(Gauge.CPU_STEAL), Unit.RATIO)
                        + " of the CPU's time to others" + load(it),
                List.of(Suspect.figure(Gauge.CPU_STEAL, it.top(Gauge.CPU_STEAL)))));
        return Stream.of(full, thread, stolen).flatMap(Optional::stream)
                .reduce((a, b) -> b.strength() > a.strength() ? b : a);
    }

    private static Optional<Suspect> quota(Knee knee) {
        var full = full(knee, Gauge.CPU_QUOTA, Resource.CPU_QUOTA, "the CPU quota of the control group", 0.75, 0.95);
        double throttled = knee.top(Gauge.CPU_THROTTLED);
        if (Double.isNaN(throttled)) {
            return full;
        }
        var waits = new Suspect(Resource.CPU_QUOTA,
                0.95 * Suspect.rise(throttled, 0.02, 0.2) * knee.follows(Gauge.CPU_THROTTLED),
                "the CPU quota is used up: in " + Figure.words(throttled, Unit.RATIO)
                        + " of its periods the instance waited for the next" + load(knee),
                List.of(Suspect.figure(Gauge.CPU_THROTTLED, throttled)));
        return Optional.of(full.filter(used -> used.strength() > waits.strength())
                .map(used -> used.with(waits.figures()))
                .orElse(full.map(used -> waits.with(used.figures())).orElse(waits)));
    }

    private static Optional<Suspect> memory(Knee knee) {
        double stalled = knee.top(Gauge.MEMORY_STALLED);
        double used = knee.top(Gauge.MEMORY);
        if (Double.isNaN(stalled) && Double.isNaN(used)) {
            return Optional.empty();
        }
        var figures = new ArrayList<Figure>();
        double strength = 0;
        var words = new ArrayList<String>();
        if (!Double.isNaN(used)) {
            // A heap is meant to be used: full memory alone says little.
            strength = 0.6 * Suspect.rise(used, 0.9, 0.98) * knee.follows(Gauge.MEMORY);
            figures.add(Suspect.figure(Gauge.MEMORY, used));
            words.add("memory was used to " + Figure.words(used, Unit.RATIO) + " (at rest "
                    + Figure.words(knee.rest(Gauge.MEMORY), Unit.RATIO) + ")");
        }
        if (!Double.isNaN(stalled)) {
            strength = Math.max(strength, 0.95 * Suspect.rise(stalled, 0.05, 0.3) * knee.follows(Gauge.MEMORY_STALLED));
            figures.add(Suspect.figure(Gauge.MEMORY_STALLED, stalled));
            words.add("threads waited for memory " + Figure.words(stalled, Unit.RATIO) + " of the time");
        }
        return Optional.of(new Suspect(Resource.MEMORY, strength, String.join(", ", words) + load(knee), figures));
    }

    private static Optional<Suspect> network(Knee knee) {
        double bytes = Stream.of(Gauge.NET_TX, Gauge.NET_RX).map(knee::top).filter(Double::isFinite)
                .max(Double::compare).orElse(Double.NaN);
        var figures = Double.isNaN(bytes)
                ? List.<Figure>of()
                : List.of(new Figure("net.bytes", bytes, Unit.BYTES_PER_SECOND));
        var told = full(knee, Gauge.NET_LINK, Resource.NETWORK_BANDWIDTH, "the network link", 0.75, 0.92)
                .map(suspect -> suspect.with(figures));
        if (Double.isNaN(bytes)) {
            return told;
        }
        var gauge = bytes == knee.top(Gauge.NET_TX) ? Gauge.NET_TX : Gauge.NET_RX;
        var reckoned = againstSpeed(knee, gauge, bytes);
        if (told.isEmpty() && reckoned.isEmpty()) {
            return usualLink(knee, gauge, bytes).map(suspect -> suspect.with(figures));
        }
        return Stream.of(told, reckoned.map(suspect -> suspect.with(figures))).flatMap(Optional::stream)
                .reduce((a, b) -> b.strength() > a.strength() ? b : a);
    }

    private static Optional<Suspect> againstSpeed(Knee knee, Gauge gauge, double bytes) {
        double speed = knee.top(Gauge.NET_SPEED);
        if (!(speed > 0)) {
            return Optional.empty();
        }
        double used = bytes / speed;
        return Optional.of(new Suspect(Resource.NETWORK_BANDWIDTH,
                0.95 * Suspect.rise(used, 0.75, 0.92) * knee.follows(gauge),
                Figure.words(bytes, Unit.BYTES_PER_SECOND) + " were moved over a link of "
                        + Figure.words(speed, Unit.BYTES_PER_SECOND) + " (" + Figure.words(used, Unit.RATIO) + ")"
                        + load(knee),
                List.of()));
    }

    /** The link's speed is not known; but bytes that stop growing just below a speed that links have are a sign. */
    private static Optional<Suspect> usualLink(Knee knee, Gauge gauge, double bytes) {
        for (double gigabits : LINKS) {
            double used = bytes / (gigabits * BYTES_PER_SECOND);
            if (used > 0.9 && used <= 1.001 && knee.most(gauge) <= 1.1 * bytes && knee.latencyGrowth() > 1.2) {
                return Optional.of(new Suspect(Resource.NETWORK_BANDWIDTH, 0.55 * knee.follows(gauge),
                        Figure.words(bytes, Unit.BYTES_PER_SECOND) + " were moved" + load(knee)
                                + ", which is what a link of " + Figure.words(gigabits, Unit.COUNT)
                                + " Gbit/s carries; its speed was not measured",
                        List.of()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Suspect> disk(Knee knee) {
        return full(knee, Gauge.DISK_BUSY, Resource.DISK, "the disk", 0.8, 0.97);
    }

    private static Optional<Suspect> full(Knee knee, Gauge gauge, Resource resource, String name, double from,
            double to) {
        double used = knee.top(gauge);
        if (Double.isNaN(used)) {
            return Optional.empty();
        }
        var law = UtilisationLaw.fit(knee, gauge);
        var figures = new ArrayList<>(List.of(Suspect.figure(gauge, used)));
        double rest = knee.rest(gauge);
        if (!Double.isNaN(rest)) {
            figures.add(new Figure(gauge.gaugeName() + ".rest", rest, gauge.unit()));
        }
        law.ifPresent(it -> figures.addAll(it.figures()));
        return Optional.of(new Suspect(resource, 0.95 * Suspect.rise(used, from, to) * knee.follows(gauge),
                name + " was used to " + Figure.words(used, Unit.RATIO) + load(knee) + " (at rest "
                        + Figure.words(rest, Unit.RATIO) + ")" + law.map(UtilisationLaw::words).orElse(""),
                figures));
    }

    static String load(Knee knee) {
        return " at " + Figure.words(knee.atTop().requestsPerSecond(), Unit.REQUESTS_PER_SECOND);
    }
}
