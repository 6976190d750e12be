// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import io.redliner.benchmarks.lab.report.ConsoleReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Records the figures of the slice, which the ordinary build compares with. */
@Command(name = "record", mixinStandardHelpOptions = true, description = "Records the figures that the ordinary build must not fall behind.")
final class RecordSliceCommand implements Callable<Integer> {

    @Option(names = "--output", description = "file; default: ${DEFAULT-VALUE}")
    private Path output = Path.of("benchmarks", "src", "test", "resources", "io", "redliner", "benchmarks", "lab",
            "slice.csv");

    @Override
    public Integer call() throws IOException {
        try (var workers = Executors.newFixedThreadPool(2)) {
            var runs = RegressionSlice.run(workers);
            runs.forEach(run -> System.out.println(ConsoleReport.row(run)));
            SliceReference.of(AccuracyStatistics.of(runs)).write(output);
        }
        System.out.println(Files.readString(output));
        return CommandLine.ExitCode.OK;
    }
}
