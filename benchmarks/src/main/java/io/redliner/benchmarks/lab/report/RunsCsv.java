// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All runs as comma-separated values; loads in requests/s, times in seconds, harm in requests. */
public final class RunsCsv {

    private static final String HEADER = "method,kind,seed,status,estimate,low,high,truth,error,covered,seconds,requests,"
            + "bad,excess,breach seconds,longest breach seconds,best error";

    private RunsCsv() {}

    /** Replaces the file. */
    public static void write(Path file, List<LabRunResult> runs) throws IOException {
        Files.write(file, Stream.concat(Stream.of(HEADER), runs.stream().map(RunsCsv::line)).toList());
    }

    private static String line(LabRunResult run) {
        var answer = run.answer();
        var harm = run.harm();
        return String.format(Locale.ROOT, "%s,%s,%d,%s,%.2f,%.2f,%.2f,%.2f,%.5f,%b,%.1f,%d,%d,%.1f,%.1f,%.1f,%.5f",
                run.method(), run.kind(), run.seed(), answer.status(), answer.estimate(), answer.low(), answer.high(),
                run.truth(), run.error(), run.covered(), harm.testedSeconds(), harm.requests(), harm.bad(),
                harm.excess(), harm.breachSeconds(), harm.longestBreachSeconds(), run.bestError());
    }
}
