// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.sla.MetricUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Finds the bottleneck: the resource that ended a run. It is the fullest one by {@link SaturationRule#TABLE} and
 * {@link CompositeSaturationRules}. A finding has the evidence against it, and the runners-up follow. A resource without
 * measurements is not guessed: the finding names the source to switch on.
 */
public final class BottleneckAnalyzer {

    private static final double MIN_REPORTED_STRENGTH = 0.1;

    /** Strength from which on a resource counts as the limit. */
    private static final double CONVINCING = 0.5;

    /** Part of the strongest candidate's strength from which on another one is as likely. */
    private static final double AS_FULL = 0.8;

    /** Utilisation up to which a resource is idle. */
    private static final double IDLE = 0.65;

    /** Time at the highest loads from which on their measurements are reliable. */
    private static final double RELIABLE_SECONDS = 6;

    /**
     * Part of a cause's strength by which its consequence is weakened: a slow service fills the pool, the garbage collector uses the
     * CPU, and a quota is what of the CPU can be had.
     */
    private static final double CONSEQUENCE = 0.7;

    /** The measurements that a diagnosis needs, by the source to switch on. One gauge of each inner list is enough. */
    private static final Map<String, List<List<KnownGauge>>> SOURCES = sources();

    /** Multiple of the highest load up to which a resource that would be full there is the next limit. */
    private static final double MAX_REACH = 2;

    /** Part of the load by which twice as much of a resource has to raise it. */
    private static final double MIN_GAIN = 0.01;

    /** Number of resources that are named when none was full. */
    private static final int FULLEST = 3;

    private static final Set<BottleneckKind> CPU_TIME = Set.of(BottleneckKind.CPU, BottleneckKind.CPU_QUOTA);

    private static final String HOST_SOURCE = "a collector on the instance's machine (redliner.collector.host)";

    private static final String LINK_SOURCE = "the speed of its link (link-megabits of the collector)";

    private static final String JVM_SOURCE = "its JVM (redliner.collector.jvm)";

    /** The program of a JVM, as collectors report it. */
    private static final String JVM_PROGRAM = "java";

    /** Coefficient of determination (r squared) above which a custom gauge moves with latency. */
    private static final double MIN_R_SQUARE = 0.8;

    private BottleneckAnalyzer() {}

    /**
     * Returns the resources that may have ended the run, the fullest first.
     *
     * @param limitFound true when the search found a limit; a run whose traffic was too low has none
     */
    public static List<BottleneckFinding> of(RunStatistics statistics, boolean limitFound) {
        var comparison = PeakIdleComparison.of(statistics);
        if (!limitFound) {
            return List.of(noneReached(comparison));
        }
        if (comparison.top().isEmpty()) {
            return List.of(unknown(comparison, 1));
        }
        var candidates = candidates(comparison);
        double strongest = candidates.isEmpty() ? 0 : candidates.getFirst().strength();
        var findings = new ArrayList<BottleneckFinding>();
        for (int i = 0; i < candidates.size() && candidates.get(i).strength() >= MIN_REPORTED_STRENGTH; i++) {
            findings.add(finding(candidates, i, comparison));
        }
        if (strongest < CONVINCING && (findings.isEmpty() || !missing(comparison).isEmpty())) {
            findings.add(unknown(comparison, 1 - strongest));
            findings.sort(Comparator.comparingDouble(BottleneckFinding::strength).reversed());
        }
        return List.copyOf(findings);
    }

    /** Returns one candidate for each kind, the strongest first. */
    private static List<BottleneckCandidate> candidates(PeakIdleComparison comparison) {
        var byKind = new EnumMap<BottleneckKind, BottleneckCandidate>(BottleneckKind.class);
        Stream.concat(SaturationRule.TABLE.stream().flatMap(rule -> rule.candidate(comparison).stream()),
                CompositeSaturationRules.candidates(comparison))
                .forEach(candidate -> byKind.merge(candidate.kind(), candidate, BottleneckCandidate::or));
        weaken(byKind, BottleneckKind.THREAD_OR_CONNECTION_POOL, BottleneckKind.DOWNSTREAM_SERVICE,
                "a slow service keeps its threads");
        weaken(byKind, BottleneckKind.CPU, BottleneckKind.GARBAGE_COLLECTION, "the garbage collector uses it");
        weaken(byKind, BottleneckKind.CPU_QUOTA, BottleneckKind.GARBAGE_COLLECTION, "the garbage collector uses it");
        weaken(byKind, BottleneckKind.SLOW_NETWORK, BottleneckKind.NETWORK_BANDWIDTH, "its own link is full");
        // The figure of the CPU is a part of the quota, where there is one.
        weaken(byKind, BottleneckKind.CPU, BottleneckKind.CPU_QUOTA, "its quota is used up");
        double known = byKind.values().stream().mapToDouble(BottleneckCandidate::strength).max().orElse(0);
        if (known < CONVINCING && machineIdle(comparison)) {
            var own = ownDependencies(comparison, known);
            byKind.put(own.kind(), own);
        }
        double seconds = comparison.atTop().seconds();
        return byKind.values().stream()
                .map(candidate -> candidate.weakened(Math.min(1, seconds / RELIABLE_SECONDS),
                        "the highest loads were seen for only " + NamedValue.format(seconds, MetricUnit.COUNT) + " s"))
                .sorted(Comparator.comparingDouble(BottleneckCandidate::strength).reversed()).toList();
    }

    private static void weaken(Map<BottleneckKind, BottleneckCandidate> byKind, BottleneckKind consequence,
            BottleneckKind cause, String because) {
        double strength = Optional.ofNullable(byKind.get(cause)).map(BottleneckCandidate::strength).orElse(0.0);
        byKind.computeIfPresent(consequence,
                (kind, candidate) -> candidate.weakened(1 - CONSEQUENCE * strength, because));
    }

    private static BottleneckFinding finding(List<BottleneckCandidate> candidates, int rank,
            PeakIdleComparison comparison) {
        var candidate = candidates.get(rank);
        var against = new ArrayList<>(candidate.against());
        candidates.stream().filter(other -> other.kind() != candidate.kind())
                .filter(other -> other.strength() >= Math.max(MIN_REPORTED_STRENGTH, AS_FULL * candidate.strength()))
                .findFirst().ifPresent(other -> against.add(other.kind() + " looks as full"));
        var scaling = rank == 0 ? UniversalScalabilityFit.fit(comparison) : Optional.<UniversalScalabilityFit>empty();
        return new BottleneckFinding(candidate.kind(), candidate.strength(),
                candidate.message() + scaling.map(UniversalScalabilityFit::describe).orElse("")
                        + (rank == 0 && candidate.strength() >= CONVINCING ? doubled(candidate, comparison) : "")
                        + (against.isEmpty() ? "" : "; against it: " + String.join(", ", against)),
                Stream.concat(candidate.figures().stream(), scaling.stream().flatMap(law -> law.figures().stream()))
                        .toList());
    }

    /** Returns what twice as much of a full resource would bring, as a clause; empty for a resource that no size has. */
    private static String doubled(BottleneckCandidate candidate, PeakIdleComparison comparison) {
        String twice = switch (candidate.kind()) {
            case CPU -> candidate.figures().getFirst().name().equals(KnownGauge.CPU_THREAD.gaugeName())
                    ? "cores twice as fast"
                    : "twice the CPU";
            case CPU_QUOTA -> "twice the quota";
            case NETWORK_BANDWIDTH -> "a link twice as wide";
            case DISK -> candidate.figures().getFirst().name().equals(KnownGauge.IO_STALLED.gaugeName())
                    ? ""
                    : "a disk twice as fast";
            case THREAD_OR_CONNECTION_POOL -> "twice the pool";
            default -> "";
        };
        if (twice.isEmpty()) {
            return "";
        }
        return "; with " + twice + ": " + next(candidate.kind(), comparison).map(next -> gain(next, comparison))
                .orElse("nothing else that was measured is full below twice the load");
    }

    private static String gain(NextLimit next, PeakIdleComparison comparison) {
        double more = next.load / comparison.atTop().requestsPerSecond() - 1;
        return more < MIN_GAIN
                ? "no more, because " + next.rule.kind() + " is full as well"
                : "+" + NamedValue.format(more, MetricUnit.RATIO) + ", then " + next.rule.kind();
    }

    /** Returns the resource other than this one that is full first, below twice the highest load. */
    private static Optional<NextLimit> next(BottleneckKind but, PeakIdleComparison comparison) {
        double reach = MAX_REACH * comparison.atTop().requestsPerSecond();
        var same = CPU_TIME.contains(but) ? CPU_TIME : Set.of(but);
        return SaturationRule.TABLE.stream()
                .filter(rule -> !same.contains(rule.kind()))
                .map(rule -> new NextLimit(rule, rule.fullAt(comparison)))
                .filter(next -> next.load < reach)
                .min(Comparator.comparingDouble(NextLimit::load));
    }

    /**
     * A resource that would be full next.
     *
     * @param load at which it is full, requests/s
     */
    private record NextLimit(SaturationRule rule, double load) {}

    /** Returns true when CPU, link and disk were idle; false when CPU or link was not measured. */
    private static boolean machineIdle(PeakIdleComparison comparison) {
        boolean cpu = comparison.measured(KnownGauge.CPU) || comparison.measured(KnownGauge.CPU_QUOTA);
        boolean link = comparison.measured(KnownGauge.NET_LINK) || comparison.measured(KnownGauge.NET_SPEED);
        return cpu && link
                && Stream.of(KnownGauge.CPU, KnownGauge.CPU_QUOTA, KnownGauge.NET_LINK, KnownGauge.DISK_BUSY)
                        .map(comparison::top).noneMatch(used -> used > IDLE);
    }

    private static BottleneckCandidate ownDependencies(PeakIdleComparison comparison, double known) {
        double atATime = comparison.atTop().throughput() * comparison.atRest().meanLatency();
        var cpu = comparison.measured(KnownGauge.CPU) ? KnownGauge.CPU : KnownGauge.CPU_QUOTA;
        return new BottleneckCandidate(BottleneckKind.OWN_DEPENDENCIES, 0.6 * (1 - known),
                "not CPU, not bandwidth: look at the service's own dependencies; CPU "
                        + NamedValue.format(comparison.top(cpu), MetricUnit.RATIO) + comparison.atLoad()
                        + ", while requests take "
                        + NamedValue.format(comparison.latencyGrowth(), MetricUnit.COUNT)
                        + " times as long as at rest, as if about "
                        + NamedValue.format(Math.max(1, atATime), MetricUnit.COUNT)
                        + " were served at a time" + related(comparison),
                Figure.of(cpu).values(comparison),
                missing(comparison).isEmpty() ? List.of() : List.of(missingText(comparison, missing(comparison))));
    }

    /** Names the custom gauge that correlates most with latency, as a clause; empty without one. */
    private static String related(PeakIdleComparison comparison) {
        String clause = "";
        double bestRSquare = MIN_R_SQUARE;
        for (String name : comparison.statistics().gauges()) {
            if (KnownGauge.known(name) || Stream.of(KnownGauge.values()).anyMatch(it -> it.partOf(name).isPresent())) {
                continue;
            }
            var regression = new SimpleRegression();
            regression.addData(comparison.pairs(block -> block.sut().meanLatency(),
                    block -> PeakIdleComparison.mean(List.of(block), name)));
            if (regression.getN() >= 4 && regression.getRSquare() > bestRSquare) {
                bestRSquare = regression.getRSquare();
                clause = "; custom['" + name + "'] moves with latency (r\u00b2 = "
                        + NamedValue.format(bestRSquare, MetricUnit.COUNT) + ")";
            }
        }
        return clause;
    }

    private static BottleneckFinding noneReached(PeakIdleComparison comparison) {
        var next = next(BottleneckKind.NONE_REACHED, comparison);
        var candidate = next.flatMap(limit -> limit.rule.candidate(comparison));
        return new BottleneckFinding(BottleneckKind.NONE_REACHED, 1,
                "no limit was reached" + (comparison.top().isEmpty() ? "" : comparison.atLoad())
                        + candidate.map(it -> "; the next would be " + it.kind() + ", at about "
                                + NamedValue.format(next.orElseThrow().load, MetricUnit.REQUESTS_PER_SECOND) + ": "
                                + it.message()).orElse(""),
                candidate.map(BottleneckCandidate::figures).orElse(List.of()));
    }

    private static BottleneckFinding unknown(PeakIdleComparison comparison, double strength) {
        var missing = missing(comparison);
        String seen = seen(comparison);
        return new BottleneckFinding(BottleneckKind.UNKNOWN, strength,
                missing.isEmpty()
                        ? "nothing that was measured was full" + seen
                        : "too little was measured to tell" + seen + "; " + missingText(comparison, missing),
                List.of());
    }

    /** Returns the fullest resources that were measured, as a clause; empty without one. */
    private static String seen(PeakIdleComparison comparison) {
        var used = new LinkedHashMap<BottleneckKind, Double>();
        SaturationRule.TABLE.forEach(rule -> rule.used(comparison)
                .ifPresent(value -> used.merge(rule.kind(), value, Math::max)));
        return used.isEmpty()
                ? ""
                : used.entrySet().stream().sorted(Map.Entry.<BottleneckKind, Double>comparingByValue().reversed())
                        .limit(FULLEST)
                        .map(entry -> entry.getKey() + " " + NamedValue.format(entry.getValue(), MetricUnit.RATIO))
                        .collect(Collectors.joining(", ", ": ", comparison.atLoad()));
    }

    private static String missingText(PeakIdleComparison comparison, Map<String, List<String>> missing) {
        String source = missing.entrySet().stream().max(Comparator.comparingInt(entry -> entry.getValue().size()))
                .orElseThrow().getKey();
        return "missing at the instance" + comparison.program().map(name -> ", which is " + name).orElse("") + ": "
                + String.join(", ", missing.values().stream().flatMap(List::stream).toList())
                + "; switch on first: " + source;
    }

    /** Returns the missing measurements by source. Without them a resource can be neither named nor excluded. */
    private static Map<String, List<String>> missing(PeakIdleComparison comparison) {
        var missing = new LinkedHashMap<String, List<String>>();
        boolean otherProgram = comparison.program().filter(name -> !name.equals(JVM_PROGRAM)).isPresent();
        SOURCES.forEach((source, needed) -> {
            if (source.equals(JVM_SOURCE) && otherProgram) {
                return;
            }
            var names = needed.stream()
                    .filter(any -> any.stream()
                            .noneMatch(it -> comparison.measured(it) || !comparison.parts(it).isEmpty()))
                    .map(any -> any.getFirst().gaugeName()).toList();
            if (!names.isEmpty()) {
                boolean noTraffic = source.equals(LINK_SOURCE) && !comparison.measured(KnownGauge.NET_TX);
                missing.computeIfAbsent(noTraffic ? HOST_SOURCE : source, it -> new ArrayList<>()).addAll(names);
            }
        });
        return missing;
    }

    private static Map<String, List<List<KnownGauge>>> sources() {
        var sources = new LinkedHashMap<String, List<List<KnownGauge>>>();
        sources.put(HOST_SOURCE,
                List.of(List.of(KnownGauge.CPU, KnownGauge.CPU_QUOTA), List.of(KnownGauge.MEMORY),
                        List.of(KnownGauge.DISK_BUSY), List.of(KnownGauge.SOCKETS_SEND_QUEUE)));
        sources.put(LINK_SOURCE, List.of(List.of(KnownGauge.NET_LINK, KnownGauge.NET_SPEED)));
        sources.put(JVM_SOURCE,
                List.of(List.of(KnownGauge.GC_PAUSE, KnownGauge.GC_TIME), List.of(KnownGauge.PROCESS_PAUSE),
                        List.of(KnownGauge.THREADS_BLOCKED)));
        sources.put("the service's own metrics (redliner.collector.scrape, .otlp or .prometheus)",
                List.of(List.of(KnownGauge.POOL_BUSY, KnownGauge.POOL_WAITING),
                        List.of(KnownGauge.DOWNSTREAM_LATENCY)));
        return sources;
    }
}
