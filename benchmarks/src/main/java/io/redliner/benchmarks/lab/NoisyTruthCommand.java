// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.truth.NoisyTruth;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Finds the capacities of the simulated servers beside noise by long steady runs, and prints them as {@code beside.csv} has them. */
@Command(name = "beside", mixinStandardHelpOptions = true, sortOptions = false, description = "Finds the capacities of the simulated servers beside noise by long steady runs.")
final class NoisyTruthCommand implements Callable<Integer> {

    @Option(names = "--kinds", split = ",", description = "of servers; default: all")
    private List<String> kinds = List.of("all");

    @Option(names = "--noise", split = ",", required = true, description = "mild20 and more")
    private List<String> noises = List.of();

    @Option(names = "--runs", description = "at each load, of 1500 s each; default: ${DEFAULT-VALUE}")
    private int runs = 4;

    @Override
    public Integer call() {
        for (String noise : noises) {
            for (var kind : ServerKinds.chosen(kinds)) {
                double found = NoisyTruth.find(kind, NoiseSetting.named(noise).shared(), runs).orElse(0);
                System.out.println(String.format(Locale.ROOT, "%s,%s,%.2f,%.3f", kind.name(), noise, found,
                        found / RecordedCapacities.of(kind)));
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
