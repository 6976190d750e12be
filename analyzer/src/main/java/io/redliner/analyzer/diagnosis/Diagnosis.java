// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.diagnosis;

import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.evidence.Gauge;
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
public final class Diagnosis {

    private static final double WORTH_TELLING = 0.05;

    /** Above, a resource is not idle. */
    private static final double IDLE = 0.65;

    /** When the best finding is less certain than this, what was not measured is told beside it. */
    private static final double CONVINCING = 0.5;

    private Diagnosis() {}

    /**
     * What ended the run, most likely first.
     *
     * @param limitFound whether the search says so; a run whose traffic ended before has no limit
     */
    public static List<Finding> of(Evidence evidence, boolean limitFound) {
        var knee = Knee.of(evidence);
        if (!limitFound) {
            return List.of(noneReached(knee));
        }
        if (knee.top().isEmpty()) {
            return List.of(unknown(knee, 1));
        }
        var suspects = new ArrayList<>(Stream.of(Machine.suspects(knee), Standstill.suspects(knee),
                Waiting.suspects(knee), Receivers.suspects(knee)).flatMap(all -> all).toList());
        double known = suspects.stream().mapToDouble(Suspect::strength).max().orElse(0);
        if (known < CONVINCING && machineIdle(knee)) {
            suspects.add(ownDependencies(knee, known));
        }
        double strongest = suspects.stream().mapToDouble(Suspect::strength).max().orElse(0);
        double all = suspects.stream().mapToDouble(Suspect::strength).sum();
        var findings = new ArrayList<>(suspects.stream()
                .map(suspect -> finding(suspect,
                        suspect.strength() * suspect.strength() / Math.max(all, 1e-9) * knee.reliability()))
                .filter(finding -> finding.confidence() >= WORTH_TELLING)
                .sorted(Comparator.comparingDouble(Finding::confidence).reversed()).toList());
        if (!findings.isEmpty()) {
            findings.set(0, scaling(knee, findings.getFirst()));
        }
        if (strongest < CONVINCING && (findings.isEmpty() || !missing(knee).isEmpty())) {
            findings.add(unknown(knee, 1 - strongest));
            findings.sort(Comparator.comparingDouble(Finding::confidence).reversed());
        }
        return List.copyOf(findings);
    }

    private static Finding finding(Suspect suspect, double confidence) {
        return new Finding(suspect.resource(), Math.clamp(confidence, 0, 1), suspect.words(), suspect.figures());
    }

    private static Finding scaling(Knee knee, Finding finding) {
        return ScalabilityLaw.fit(knee).map(law -> {
            var figures = new ArrayList<>(finding.figures());
            figures.addAll(law.figures());
            return new Finding(finding.resource(), finding.confidence(), finding.words() + law.words(), figures);
        }).orElse(finding);
    }

    /** Without the use of CPU and link nothing can be said of what is idle. */
    private static boolean machineIdle(Knee knee) {
        boolean cpu = knee.measured(Gauge.CPU) || knee.measured(Gauge.CPU_QUOTA);
        boolean link = knee.measured(Gauge.NET_LINK) || knee.measured(Gauge.NET_SPEED);
        return cpu && link && Stream.of(Gauge.CPU, Gauge.CPU_QUOTA, Gauge.NET_LINK, Gauge.DISK_BUSY).map(knee::top)
                .noneMatch(used -> used > IDLE);
    }

    private static Suspect ownDependencies(Knee knee, double known) {
        double atATime = knee.atTop().throughput() * knee.atRest().meanLatency();
        return new Suspect(Resource.OWN_DEPENDENCIES, 0.6 * (1 - known),
                "not CPU, not bandwidth: look at the service's own dependencies; CPU "
                        + Figure.words(knee.measured(Gauge.CPU) ? knee.top(Gauge.CPU) : knee.top(Gauge.CPU_QUOTA),
                                Unit.RATIO)
                        + Machine.load(knee) + ", while requests take " + Figure.words(knee.latencyGrowth(), Unit.COUNT)
                        + " times as long as at rest, as if about " + Figure.words(Math.max(1, atATime), Unit.COUNT)
                        + " were served at a time" + related(knee),
                Double.isFinite(atATime) ? List.of(new Figure("served.at.a.time", atATime, Unit.COUNT)) : List.of());
    }

    /** A gauge of the plan's author's own that moves with latency is worth a look. */
    private static String related(Knee knee) {
        String most = "";
        double best = 0.8;
        for (String name : knee.evidence().gauges()) {
            if (!custom(name)) {
                continue;
            }
            var regression = new SimpleRegression();
            regression.addData(knee.pairs(block -> block.sut().meanLatency(),
                    block -> Knee.mean(List.of(block), name)));
            if (regression.getN() >= 4 && regression.getRSquare() > best) {
                best = regression.getRSquare();
                most = "; custom['" + name + "'] moves with latency (r\u00b2 = " + Figure.words(best, Unit.COUNT) + ")";
            }
        }
        return most;
    }

    private static boolean custom(String name) {
        return Stream.of(Gauge.values())
                .noneMatch(gauge -> gauge.gaugeName().equals(name) || gauge.partOf(name).isPresent());
    }

    private static Finding noneReached(Knee knee) {
        var nearest = Stream.of(Gauge.CPU, Gauge.CPU_QUOTA, Gauge.NET_LINK, Gauge.DISK_BUSY)
                .flatMap(gauge -> UtilisationLaw.fit(knee, gauge).stream()).filter(law -> law.full() > 0)
                .min(Comparator.comparingDouble(UtilisationLaw::full));
        return new Finding(Resource.NONE_REACHED, 1,
                "no limit was reached" + (knee.top().isEmpty() ? "" : Machine.load(knee))
                        + nearest.map(law -> "; the next would be " + law.gauge().gaugeName() + law.words().substring(1)
                                .replace(" by", ", by")).orElse(""),
                nearest.map(UtilisationLaw::figures).orElse(List.of()));
    }

    private static Finding unknown(Knee knee, double confidence) {
        var missing = missing(knee);
        return new Finding(Resource.UNKNOWN, confidence,
                missing.isEmpty()
                        ? "nothing that was measured was full"
                        : "too little was measured to tell; missing at the instance: " + String.join(", ", missing),
                List.of());
    }

    /** Measurements without which a resource can be neither named nor excluded. */
    static List<String> missing(Knee knee) {
        Map<String, List<Gauge>> needed = new LinkedHashMap<>();
        needed.put("cpu", List.of(Gauge.CPU, Gauge.CPU_QUOTA));
        needed.put("memory", List.of(Gauge.MEMORY));
        needed.put("gc.pause", List.of(Gauge.GC_PAUSE, Gauge.GC_TIME));
        needed.put("process.pause", List.of(Gauge.PROCESS_PAUSE));
        needed.put("threads.blocked", List.of(Gauge.THREADS_BLOCKED));
        needed.put("pool.busy", List.of(Gauge.POOL_BUSY, Gauge.POOL_WAITING));
        needed.put("net.link", List.of(Gauge.NET_LINK, Gauge.NET_SPEED));
        needed.put("disk.busy", List.of(Gauge.DISK_BUSY));
        needed.put("sockets.send.queue", List.of(Gauge.SOCKETS_SEND_QUEUE));
        needed.put("downstream.latency", List.of(Gauge.DOWNSTREAM_LATENCY));
        return needed.entrySet().stream()
                .filter(entry -> entry.getValue().stream()
                        .noneMatch(gauge -> knee.measured(gauge) || !knee.parts(gauge).isEmpty()))
                .map(Map.Entry::getKey).toList();
    }
}
