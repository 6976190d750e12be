// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Says which resource ended a run. Every resource is looked at by itself, and its strength is how full it was at the
 * highest loads and how much it followed the load; the confidence is that strength times its part in the strength of all,
 * so two resources that are equally full get half each. What was not measured is named, never guessed.
 */
public final class BottleneckAnalyzer {

    private static final double WORTH_TELLING = 0.05;

    /** Above, a resource is not idle. */
    private static final double IDLE = 0.65;

    /** When the best finding is less certain than this, what was not measured is told beside it. */
    private static final double CONVINCING = 0.5;

    private BottleneckAnalyzer() {}

    /**
     * What ended the run, most likely first.
     *
     * @param limitFound whether the search says so; a run whose traffic ended before has no limit
     */
    public static List<BottleneckFinding> of(RunStatistics evidence, boolean limitFound) {
        var knee = PeakIdleComparison.of(evidence);
        if (!limitFound) {
            return List.of(noneReached(knee));
        }
        if (knee.top().isEmpty()) {
            return List.of(unknown(knee, 1));
        }
        var suspects = new ArrayList<>(Stream.of(HostSaturationDetector.suspects(knee), PauseDetector.suspects(knee),
                ContentionDetector.suspects(knee), SocketQueueDetector.suspects(knee)).flatMap(all -> all).toList());
        double known = suspects.stream().mapToDouble(BottleneckCandidate::strength).max().orElse(0);
        if (known < CONVINCING && machineIdle(knee)) {
            suspects.add(ownDependencies(knee, known));
        }
        double strongest = suspects.stream().mapToDouble(BottleneckCandidate::strength).max().orElse(0);
        double all = suspects.stream().mapToDouble(BottleneckCandidate::strength).sum();
        var findings = new ArrayList<>(suspects.stream()
                .map(suspect -> finding(suspect,
                        suspect.strength() * suspect.strength() / Math.max(all, 1e-9) * knee.reliability()))
                .filter(finding -> finding.confidence() >= WORTH_TELLING)
                .sorted(Comparator.comparingDouble(BottleneckFinding::confidence).reversed()).toList());
        if (!findings.isEmpty()) {
            findings.set(0, scaling(knee, findings.getFirst()));
        }
        if (strongest < CONVINCING && (findings.isEmpty() || !missing(knee).isEmpty())) {
            findings.add(unknown(knee, 1 - strongest));
            findings.sort(Comparator.comparingDouble(BottleneckFinding::confidence).reversed());
        }
        return List.copyOf(findings);
    }

    private static BottleneckFinding finding(BottleneckCandidate suspect, double confidence) {
        return new BottleneckFinding(suspect.resource(), Math.clamp(confidence, 0, 1), suspect.words(),
                suspect.figures());
    }

    private static BottleneckFinding scaling(PeakIdleComparison knee, BottleneckFinding finding) {
        return UniversalScalabilityFit.fit(knee).map(law -> {
            var figures = new ArrayList<>(finding.figures());
            figures.addAll(law.figures());
            return new BottleneckFinding(finding.resource(), finding.confidence(), finding.words() + law.words(),
                    figures);
        }).orElse(finding);
    }

    /** Without the use of CPU and link nothing can be said of what is idle. */
    private static boolean machineIdle(PeakIdleComparison knee) {
        boolean cpu = knee.measured(KnownGauge.CPU) || knee.measured(KnownGauge.CPU_QUOTA);
        boolean link = knee.measured(KnownGauge.NET_LINK) || knee.measured(KnownGauge.NET_SPEED);
        return cpu && link
                && Stream.of(KnownGauge.CPU, KnownGauge.CPU_QUOTA, KnownGauge.NET_LINK, KnownGauge.DISK_BUSY)
                        .map(knee::top)
                        .noneMatch(used -> used > IDLE);
    }

    private static BottleneckCandidate ownDependencies(PeakIdleComparison knee, double known) {
        double atATime = knee.atTop().throughput() * knee.atRest().meanLatency();
        return new BottleneckCandidate(BottleneckKind.OWN_DEPENDENCIES, 0.6 * (1 - known),
                "not CPU, not bandwidth: look at the service's own dependencies; CPU "
                        + NamedValue.words(
                                knee.measured(KnownGauge.CPU)
                                        ? knee.top(KnownGauge.CPU)
                                        : knee.top(KnownGauge.CPU_QUOTA),
                                Unit.RATIO)
                        + HostSaturationDetector.load(knee) + ", while requests take "
                        + NamedValue.words(knee.latencyGrowth(), Unit.COUNT)
                        + " times as long as at rest, as if about " + NamedValue.words(Math.max(1, atATime), Unit.COUNT)
                        + " were served at a time" + related(knee),
                Double.isFinite(atATime)
                        ? List.of(new NamedValue("served.at.a.time", atATime, Unit.COUNT))
                        : List.of());
    }

    /** A gauge of the plan's author's own that moves with latency is worth a look. */
    private static String related(PeakIdleComparison knee) {
        String most = "";
        double best = 0.8;
        for (String name : knee.evidence().gauges()) {
            if (!custom(name)) {
                continue;
            }
            var regression = new SimpleRegression();
            regression.addData(knee.pairs(block -> block.sut().meanLatency(),
                    block -> PeakIdleComparison.mean(List.of(block), name)));
            if (regression.getN() >= 4 && regression.getRSquare() > best) {
                best = regression.getRSquare();
                most = "; custom['" + name + "'] moves with latency (r\u00b2 = " + NamedValue.words(best, Unit.COUNT)
                        + ")";
            }
        }
        return most;
    }

    private static boolean custom(String name) {
        return Stream.of(KnownGauge.values())
                .noneMatch(gauge -> gauge.gaugeName().equals(name) || gauge.partOf(name).isPresent());
    }

    private static BottleneckFinding noneReached(PeakIdleComparison knee) {
        var nearest = Stream.of(KnownGauge.CPU, KnownGauge.CPU_QUOTA, KnownGauge.NET_LINK, KnownGauge.DISK_BUSY)
                .flatMap(gauge -> UtilisationLaw.fit(knee, gauge).stream()).filter(law -> law.full() > 0)
                .min(Comparator.comparingDouble(UtilisationLaw::full));
        return new BottleneckFinding(BottleneckKind.NONE_REACHED, 1,
                "no limit was reached" + (knee.top().isEmpty() ? "" : HostSaturationDetector.load(knee))
                        + nearest.map(law -> "; the next would be " + law.gauge().gaugeName() + law.words().substring(1)
                                .replace(" by", ", by")).orElse(""),
                nearest.map(UtilisationLaw::figures).orElse(List.of()));
    }

    private static BottleneckFinding unknown(PeakIdleComparison knee, double confidence) {
        var missing = missing(knee);
        return new BottleneckFinding(BottleneckKind.UNKNOWN, confidence,
                missing.isEmpty()
                        ? "nothing that was measured was full"
                        : "too little was measured to tell; missing at the instance: " + String.join(", ", missing),
                List.of());
    }

    /** Measurements without which a resource can be neither named nor excluded. */
    static List<String> missing(PeakIdleComparison knee) {
        Map<String, List<KnownGauge>> needed = new LinkedHashMap<>();
        needed.put("cpu", List.of(KnownGauge.CPU, KnownGauge.CPU_QUOTA));
        needed.put("memory", List.of(KnownGauge.MEMORY));
        needed.put("gc.pause", List.of(KnownGauge.GC_PAUSE, KnownGauge.GC_TIME));
        needed.put("process.pause", List.of(KnownGauge.PROCESS_PAUSE));
        needed.put("threads.blocked", List.of(KnownGauge.THREADS_BLOCKED));
        needed.put("pool.busy", List.of(KnownGauge.POOL_BUSY, KnownGauge.POOL_WAITING));
        needed.put("net.link", List.of(KnownGauge.NET_LINK, KnownGauge.NET_SPEED));
        needed.put("disk.busy", List.of(KnownGauge.DISK_BUSY));
        needed.put("sockets.send.queue", List.of(KnownGauge.SOCKETS_SEND_QUEUE));
        needed.put("downstream.latency", List.of(KnownGauge.DOWNSTREAM_LATENCY));
        return needed.entrySet().stream()
                .filter(entry -> entry.getValue().stream()
                        .noneMatch(gauge -> knee.measured(gauge) || !knee.parts(gauge).isEmpty()))
                .map(Map.Entry::getKey).toList();
    }
}
