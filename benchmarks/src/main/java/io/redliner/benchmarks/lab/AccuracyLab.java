// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.Figures;
import io.redliner.benchmarks.lab.report.RunResult;
import io.redliner.benchmarks.lab.report.TextTable;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.FleetClock;
import io.redliner.benchmarks.lab.traffic.Weather;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures methods that look for a capacity on simulated servers, and prints a table. */
@Command(name = "AccuracyLab", mixinStandardHelpOptions = true, sortOptions = false, description = "Measures methods that look for a capacity on simulated servers whose capacity is known.")
public final class AccuracyLab implements Callable<Integer> {

    @Option(names = "--methods", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<String> methods = List.of(Methods.OURS);

    @Option(names = "--kinds", split = ",", description = "of servers; default: all")
    private List<String> kinds = List.of("all");

    @Option(names = "--seeds", description = "runs of each method on each kind; default: ${DEFAULT-VALUE}")
    private int seeds = 60;

    @Option(names = "--first-seed", description = "default: ${DEFAULT-VALUE}")
    private long firstSeed = 100;

    @Option(names = "--weather", description = "flat, live or stormy; default: ${DEFAULT-VALUE}")
    private String weather = "live";

    @Option(names = "--slices", description = "of 0.2 s in a window; default: ${DEFAULT-VALUE}")
    private int slices = FleetClock.FAST.slicesPerWindow();

    @Option(names = "--lag", description = "windows until a share is in force; default: ${DEFAULT-VALUE}")
    private int lag = FleetClock.FAST.lagWindows();

    @Option(names = "--threads", description = "default: ${DEFAULT-VALUE}")
    private int threads = 2;

    @Option(names = "--details", description = "a line for each run")
    private boolean details;

    private AccuracyLab() {}

    /** Runs what the arguments say; --help says which there are. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new AccuracyLab()).execute(arguments));
    }

    @Override
    public Integer call() {
        methods.forEach(Methods::named);
        var chosen = kinds.contains("all") ? ServerKinds.all() : kinds.stream().map(ServerKinds::named).toList();
        System.out.println(TextTable.header());
        try (var workers = Executors.newFixedThreadPool(threads)) {
            for (var method : methods) {
                measure(method, chosen, workers);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private List<RunResult> measure(String method, List<ServerKind> chosen, ExecutorService workers) {
        var all = new ArrayList<RunResult>();
        for (var kind : chosen) {
            var runs = new Experiment(method, kind, seeds, firstSeed, Weather.named(weather),
                    kind.name().equals("lowrate") ? new FleetClock(5, 1) : new FleetClock(slices, lag)).run(workers, this::tell);
            System.out.println(TextTable.row(method, kind.name(), Figures.of(runs)));
            all.addAll(runs);
        }
        System.out.println(TextTable.row(method, "ALL", Figures.of(all)));
        return all;
    }

    private void tell(RunResult run) {
        if (details) {
            System.out.println(TextTable.row(run));
        }
    }
}
