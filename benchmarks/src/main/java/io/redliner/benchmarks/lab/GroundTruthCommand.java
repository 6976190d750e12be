// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.truth.GroundTruthEstimator;
import io.redliner.benchmarks.lab.truth.GroundTruthEstimator.Truth;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Finds the capacities of the simulated servers by long steady runs, and writes them to files. */
@Command(name = "truth", mixinStandardHelpOptions = true, sortOptions = false, description = "Finds the capacities of the simulated servers by long steady runs.")
final class GroundTruthCommand implements Callable<Integer> {

    @Option(names = "--kinds", split = ",", description = "of servers; default: all")
    private List<String> kinds = List.of("all");

    @Option(names = "--runs", description = "at each load; default: ${DEFAULT-VALUE}")
    private int runs = 100;

    @Option(names = "--threads", description = "default: ${DEFAULT-VALUE}")
    private int threads = 2;

    @Option(names = "--output", description = "folder; default: ${DEFAULT-VALUE}")
    private Path output = Path.of("benchmarks", "target", "truth");

    @Override
    public Integer call() throws IOException {
        var chosen = ServerKinds.chosen(kinds);
        var capacities = new ArrayList<String>(List.of("kind,requests per second,elasticity,limited by"));
        var curves = new ArrayList<String>(List.of("kind,load of the capacity,slow,failed"));
        Map<ServerKind, Truth> known = new HashMap<>();
        try (var workers = Executors.newFixedThreadPool(threads)) {
            var finder = new GroundTruthEstimator(workers, runs);
            for (var kind : chosen) {
                var truth = known.computeIfAbsent(alike(kind), finder::find);
                capacities.add(String.format(Locale.ROOT, "%s,%.4f,%.2f,%s", kind.name(), truth.capacity(),
                        truth.elasticity(), truth.byErrors() ? "error" : "latency"));
                truth.curve().forEach(point -> curves.add(String.format(Locale.ROOT, "%s,%.6f,%.8f,%.8f", kind.name(),
                        point.load(), point.slow(), point.failed())));
                System.out.println(String.format(Locale.ROOT, "%-9s %9.2f requests/s, elasticity %6.1f, recorded %9.2f",
                        kind.name(), truth.capacity(), truth.elasticity(), RecordedCapacities.of(kind)));
            }
        }
        Files.createDirectories(output);
        Files.write(output.resolve("capacities.csv"), capacities);
        Files.write(output.resolve("curves.csv"), curves);
        return CommandLine.ExitCode.OK;
    }

    /** What changes has the capacity of what does not. */
    private static ServerKind alike(ServerKind kind) {
        return ServerKinds.all().stream().filter(other -> other.steady().sameAs(kind.steady())).findFirst()
                .orElse(kind);
    }
}
