// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.server.ServerPopulation.Group;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import io.redliner.benchmarks.lab.truth.PopulationTruth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Finds the capacities of servers drawn at random, and writes them to a file. */
@Command(name = "population", mixinStandardHelpOptions = true, sortOptions = false, description = "Finds the capacities of the servers that are drawn at random.")
final class PopulationCommand implements Callable<Integer> {

    private static final int MAX_ATTEMPTS = 200;

    /** What is less sure is no truth. */
    private static final double MAX_ERROR = 0.02;

    private static final double MIN_CAPACITY = 20;

    private static final double MAX_CAPACITY = 20_000;

    @Option(names = "--group", description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}")
    private Group group = Group.POPULATION;

    @Option(names = "--from", description = "first server; default: ${DEFAULT-VALUE}")
    private int from;

    @Option(names = "--to", description = "first server that is not wanted; default: ${DEFAULT-VALUE}")
    private int to = 2 * ServerPopulation.TUNING;

    @Option(names = "--threads", description = "default: ${DEFAULT-VALUE}")
    private int threads = 2;

    @Option(names = "--output", description = "file; servers that are in it already are kept; default: ${DEFAULT-VALUE}")
    private Path output = Path.of("benchmarks", "target", "truth", "population.csv");

    PopulationCommand() {}

    @Override
    public Integer call() throws IOException {
        var known = Files.exists(output)
                ? Files.readAllLines(output).stream().skip(1)
                        .collect(Collectors.toMap(line -> line.substring(0, line.indexOf(',')), line -> line))
                : Map.<String, String>of();
        var lines = new ArrayList<String>(
                List.of("server,requests per second,standard error,limited by,attempt,elasticity"));
        try (var workers = Executors.newFixedThreadPool(threads)) {
            var found = IntStream.range(from, to)
                    .mapToObj(index -> CompletableFuture.supplyAsync(
                            () -> Optional.ofNullable(known.get(group.name(index)))
                                    .orElseGet(() -> line(index)),
                            workers))
                    .toList();
            for (var line : found) {
                lines.add(line.join());
                System.out.println(lines.getLast());
            }
        }
        Files.createDirectories(output.toAbsolutePath().getParent());
        Files.write(output, lines);
        return CommandLine.ExitCode.OK;
    }

    private String line(int index) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            var truth = ServerPopulation.draw(group, index, attempt).flatMap(PopulationTruth::find);
            if (truth.isPresent() && group.contains(truth.get().capacity(), truth.get().elasticity())
                    && truth.get().capacity() >= MIN_CAPACITY
                    && truth.get().capacity() <= MAX_CAPACITY && truth.get().error() < MAX_ERROR) {
                return String.format(Locale.ROOT, "%s,%.4f,%.5f,%s,%d,%.2f", group.name(index),
                        truth.get().capacity(), truth.get().error(), truth.get().byErrors() ? "error" : "latency",
                        attempt, truth.get().elasticity());
            }
        }
        throw new IllegalStateException("no server " + index + " has a capacity");
    }
}
