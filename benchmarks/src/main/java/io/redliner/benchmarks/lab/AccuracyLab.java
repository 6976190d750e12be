// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.AccuracyCharts;
import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import io.redliner.benchmarks.lab.report.ConsoleReport;
import io.redliner.benchmarks.lab.report.LabRunResult;
import io.redliner.benchmarks.lab.report.MarkdownReport;
import io.redliner.benchmarks.lab.report.RunsCsv;
import io.redliner.benchmarks.lab.report.Strata;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.server.ServerPopulation.Group;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures methods that look for a capacity on simulated servers, and prints a table. */
@Command(name = "AccuracyLab", mixinStandardHelpOptions = true, sortOptions = false, subcommands = {
    GroundTruthCommand.class,
    NoisyTruthCommand.class,
    RecordSliceCommand.class,
    PopulationCommand.class,
    RecheckCommand.class}, description = "Measures methods that look for a capacity on simulated servers whose capacity is known.")
public final class AccuracyLab implements Callable<Integer> {

    @Option(names = "--methods", split = ",", description = "or all; mlrsearch, mlrsearch60 and aiperf are others' own code, and have to be installed; default: ${DEFAULT-VALUE}")
    private List<String> methods = List.of(CapacityMethods.OURS);

    @Option(names = "--kinds", split = ",", description = "of servers: names, tuning or testing for those that are drawn at random, steep or retrograde for those drawn beside them; default: all 14 kinds")
    private List<String> kinds = List.of("all");

    @Option(names = "--seeds", description = "runs of each method on each kind; default: ${DEFAULT-VALUE}")
    private int seeds = 60;

    @Option(names = "--first-seed", description = "default: ${DEFAULT-VALUE}")
    private long firstSeed = 100;

    @Option(names = "--weather", description = "flat, live or stormy; default: ${DEFAULT-VALUE}")
    private String weather = "live";

    @Option(names = "--slices", description = "of 0.2 s in a window; default: 1, or 5 below 100 requests/s")
    private @Nullable Integer slices;

    @Option(names = "--lag", description = "windows until a share is in force; default: a second's")
    private @Nullable Integer lag;

    @Option(names = "--reach", description = "the largest load that can be had, of the capacity; default: a quarter of"
            + " all traffic, which is more than any needs")
    private double reach = Double.POSITIVE_INFINITY;

    @Option(names = "--noise", description = "on the server under test and three simulated peers: quiet, stall8, steal25 and more;"
            + " default: none, and no simulated peers")
    private String noise = "none";

    @Option(names = "--peers", description = "so many simulated peers share the noise, at most three; default: ${DEFAULT-VALUE}")
    private int peers = 3;

    @Option(names = "--elsewhere", description = "so many more simulated peers are on other machines, which have noise of the same kind at other times; default: ${DEFAULT-VALUE}")
    private int elsewhere;

    @Option(names = "--hosts", description = "it is known which peers are on the machine of the server under test")
    private boolean hosts;

    @Option(names = "--best", description = "measure the least error that can be had in the same time as well")
    private boolean best;

    @Option(names = "--threads", description = "default: ${DEFAULT-VALUE}")
    private int threads = 2;

    @Option(names = "--details", description = "a line for each run")
    private boolean details;

    @Option(names = "--output", description = "folder for all runs, tables and charts; default: none is written")
    private @Nullable Path output;

    @Spec
    private @Nullable CommandSpec spec;

    AccuracyLab() {}

    /** Runs what the arguments say; --help says which there are. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new AccuracyLab()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        var wanted = methods.stream().flatMap(it -> it.equals("all") ? CapacityMethods.names().stream() : Stream.of(it))
                .distinct().toList();
        wanted.forEach(CapacityMethods::named);
        var chosen = chosen();
        System.out.println(ConsoleReport.header());
        var all = new ArrayList<LabRunResult>();
        try (var workers = Executors.newFixedThreadPool(threads)) {
            for (var method : wanted) {
                all.addAll(measure(method, chosen, workers));
            }
        }
        if (output != null) {
            write(output, all);
        }
        return CommandLine.ExitCode.OK;
    }

    private List<ServerKind> chosen() {
        var population = RecordedCapacities.population();
        var tuning = population.subList(0, Math.min(ServerPopulation.TUNING, population.size()));
        return switch (kinds.getFirst()) {
            case "tuning" -> tuning;
            case "testing" -> population.subList(tuning.size(), population.size());
            case "steep" -> RecordedCapacities.group(Group.STEEP);
            case "retrograde" -> RecordedCapacities.group(Group.RETROGRADE);
            case "all" -> ServerKinds.all();
            default -> kinds.stream().map(name -> population.stream().filter(kind -> kind.name().equals(name))
                    .findFirst().orElseGet(() -> ServerKinds.named(name))).toList();
        };
    }

    private boolean isPopulation() {
        return List.of("tuning", "testing", "steep", "retrograde").contains(kinds.getFirst());
    }

    private List<LabRunResult> measure(String method, List<ServerKind> chosen, ExecutorService workers) {
        var all = new ArrayList<LabRunResult>();
        for (var kind : chosen) {
            var runs = new Experiment(method, kind, seeds, firstSeed, conditions(kind), best).run(workers,
                    this::tell);
            if (!isPopulation()) {
                System.out.println(ConsoleReport.row(method, kind.name(), AccuracyStatistics.of(runs)));
            }
            all.addAll(runs);
        }
        if (isPopulation()) {
            tellByStratum(method, chosen, all);
        }
        System.out.println(ConsoleReport.row(method, "ALL", AccuracyStatistics.of(all)));
        return all;
    }

    private static void tellByStratum(String method, List<ServerKind> chosen, List<LabRunResult> all) {
        var kinds = chosen.stream().collect(Collectors.toMap(ServerKind::name, kind -> kind));
        for (String stratum : Strata.names()) {
            var runs = all.stream()
                    .filter(run -> Strata.contains(stratum, Objects.requireNonNull(kinds.get(run.kind()))))
                    .toList();
            if (!runs.isEmpty()) {
                System.out.println(ConsoleReport.row(method, stratum, AccuracyStatistics.of(runs)));
            }
        }
    }

    private TestConditions conditions(ServerKind kind) {
        var usual = slices == null ? FleetTiming.suiting(RecordedCapacities.of(kind)) : FleetTiming.of(slices);
        var clock = lag == null ? usual : new FleetTiming(usual.slicesPerWindow(), lag);
        return new TestConditions(TrafficVolatility.named(weather), clock, reach,
                NoiseSetting.named(noise).with(peers, elsewhere), hosts);
    }

    private void write(Path folder, List<LabRunResult> all) throws IOException {
        Files.createDirectories(folder);
        RunsCsv.write(folder.resolve("runs.csv"), all);
        var arguments = spec == null ? List.<String>of() : spec.commandLine().getParseResult().originalArgs();
        MarkdownReport.write(folder.resolve("README.md"), "Written by `AccuracyLab " + String.join(" ", arguments)
                + "`, see [benchmarks](../../benchmarks/README.md). " + seeds + " runs of each method on each kind of"
                + " server, traffic: " + weather + ". Errors are relative to the true capacity; harmed are the requests"
                + " beyond the SLA's allowance in any five seconds. A run that gave up counts as an error of 100 %,"
                + " and as not covered. [All runs](runs.csv).", CapacityMethods.OURS, all);
        AccuracyCharts.methods(folder.resolve("methods.svg"), all);
        if (all.stream().anyMatch(run -> run.method().equals(CapacityMethods.OURS))) {
            AccuracyCharts.kinds(folder.resolve("kinds.svg"), CapacityMethods.OURS, all);
        }
    }

    private void tell(LabRunResult run) {
        if (details) {
            System.out.println(ConsoleReport.row(run));
        }
    }
}
