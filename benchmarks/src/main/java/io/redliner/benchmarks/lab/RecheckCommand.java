// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.benchmarks.lab.redliner.AnalysisListener;
import io.redliner.benchmarks.lab.redliner.LabRecheck;
import io.redliner.benchmarks.lab.redliner.LabRecheck.Checked;
import io.redliner.benchmarks.lab.redliner.RedLinerMethod;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import io.redliner.controller.core.run.StopCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how often a recheck finds that a capacity has moved. */
@Command(name = "recheck", mixinStandardHelpOptions = true, sortOptions = false, description = "Measures how often a recheck finds that a capacity has moved.")
final class RecheckCommand implements Callable<Integer> {

    private static final long OTHER_DAY = 1_000;

    @Option(names = "--from", description = "first server; default: ${DEFAULT-VALUE}")
    private int from;

    @Option(names = "--to", description = "first server that is not wanted; default: ${DEFAULT-VALUE}")
    private int to = ServerPopulation.TUNING;

    @Option(names = "--first-seed", description = "of the first server, one more each; default: ${DEFAULT-VALUE}")
    private long firstSeed = 600;

    @Option(names = "--moved", split = ",", description = "factors of the capacity; default: ${DEFAULT-VALUE}")
    private List<Double> moved = List.of(1.0, 0.5, 0.8, 0.9, 1.1, 1.25);

    @Option(names = "--cpu", description = "the CPU is measured, too")
    private boolean cpu;

    @Option(names = "--runs", description = "full runs that it is compared with, at most 3; default: ${DEFAULT-VALUE}")
    private int runs = 1;

    @Option(names = "--noise", description = "see the lab's; default: ${DEFAULT-VALUE}")
    private String noise = "none";

    @Option(names = "--details", description = "a line for each recheck")
    private boolean details;

    @Option(names = "--threads", description = "default: ${DEFAULT-VALUE}")
    private int threads = 2;

    RecheckCommand() {}

    @Override
    public Integer call() {
        var population = RecordedCapacities.population().subList(from, to);
        var results = new LinkedHashMap<String, List<Checked>>();
        int unknown = 0;
        try (var workers = Executors.newFixedThreadPool(threads)) {
            var running = new ArrayList<CompletableFuture<Map<String, Checked>>>();
            for (int i = 0; i < population.size(); i++) {
                var kind = population.get(i);
                long seed = firstSeed + i;
                running.add(CompletableFuture.supplyAsync(() -> checks(kind, seed), workers));
            }
            for (var server : running) {
                var checked = server.join();
                unknown += checked.isEmpty() ? 1 : 0;
                checked.forEach((move, result) -> results.computeIfAbsent(move, unused -> new ArrayList<>())
                        .add(result));
            }
        }
        System.out.println("Without a capacity to compare with: " + unknown + " of " + population.size());
        System.out.println(String.format(Locale.ROOT, "%-12s %4s %7s %7s %7s %7s %7s %7s %6s %6s %8s %8s", "move", "n",
                "before%", "moved%", "up%", "down%", "cannot%", "none%", "time", "t95", "harm%", "ofSut%"));
        results.forEach((move, checked) -> System.out.println(row(move, checked)));
        return CommandLine.ExitCode.OK;
    }

    private Map<String, Checked> checks(ServerKind kind, long seed) {
        var recheck = new LabRecheck(new RedLinerMethod(run -> new NoiseGate(SearchSettings.defaults()),
                () -> AnalysisListener.NONE), cpu);
        double capacity = RecordedCapacities.of(kind);
        var fleet = new ServerFleet(kind, capacity, new TestConditions(TrafficVolatility.LIVE,
                FleetTiming.suiting(capacity), Double.POSITIVE_INFINITY, NoiseSetting.named(noise)), seed);
        var results = new LinkedHashMap<String, Checked>();
        var fleets = IntStream.range(0, runs).mapToObj(number -> fleet.again(seed - number * OTHER_DAY)).toList();
        recheck.known(fleets).ifPresent(known -> {
            long day = seed;
            for (double factor : moved) {
                day += OTHER_DAY;
                results.put("size x" + factor, reported(kind, "size x" + factor, known,
                        recheck.check(fleet.again(day), known.times(1 / factor))));
                if (factor != 1) {
                    results.put("speed x" + factor, reported(kind, "speed x" + factor, known,
                            recheck.check(fleet.again(kind.faster(factor), day), known)));
                }
            }
        });
        return results;
    }

    private Checked reported(ServerKind kind, String move, LabRecheck.Known known, Checked checked) {
        if (details) {
            var answer = checked.answer();
            System.out
                    .println(String.format(Locale.ROOT, "%s %s of %.1f (truth %.1f): %.0f s, harm %.0f, %.2f..%.2f %s",
                            kind.name(), move, known.capacity().capacity(), RecordedCapacities.of(kind),
                            checked.harm().testedSeconds(), checked.harm().excess(), checked.low(), checked.high(),
                            answer == null ? "no answer" : answer.reason().code() + " " + answer.reason().detail()));
        }
        return checked;
    }

    private static String row(String move, List<Checked> checked) {
        double[] seconds = checked.stream().mapToDouble(it -> it.harm().testedSeconds()).sorted().toArray();
        double harm = checked.stream().mapToDouble(it -> it.harm().excess() / it.serviceRequests()).average().orElse(0);
        double harmOfSut = checked.stream().mapToDouble(it -> it.harm().excess() / it.harm().requests()).average()
                .orElse(0);
        return String.format(Locale.ROOT, "%-12s %4d %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f %6.0f %6.0f %8.4f %8.4f", move,
                checked.size(), percent(checked, it -> is(it, StopCode.AS_BEFORE)),
                percent(checked, it -> is(it, StopCode.MOVED)),
                percent(checked, it -> is(it, StopCode.MOVED) && it.low() > 1),
                percent(checked, it -> is(it, StopCode.MOVED) && !(it.low() > 1)),
                percent(checked, it -> is(it, StopCode.MOVE_UNKNOWN)),
                percent(checked, it -> it.answer() == null),
                seconds[seconds.length / 2], seconds[(int) (0.95 * (seconds.length - 1))], 100 * harm, 100 * harmOfSut);
    }

    private static boolean is(Checked checked, StopCode code) {
        var answer = checked.answer();
        return answer != null && answer.reason().code() == code;
    }

    private static double percent(List<Checked> checked, Predicate<Checked> wanted) {
        return 100.0 * checked.stream().filter(wanted).count() / checked.size();
    }
}
