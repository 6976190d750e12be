// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import io.redliner.benchmarks.process.BrokerProcess;
import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How long after the last observation of a window its verdict can be read, on a real broker and with the analyzer in a
 * process of its own. Arguments: the numbers of live runs, the milliseconds over which the services are reported after a
 * window's end, seconds of warm-up and of measuring, and the analyzer's threads.
 */
public final class VerdictLatencyBench {

    private static final double MAX_MILLIS = 50;

    private VerdictLatencyBench() {}

    /** Measures, prints a table, and fails when the last row's p99 is above 50 ms or a verdict is missing. */
    public static void main(String[] arguments) throws IOException {
        var counts = Arrays.stream(arguments[0].split(",", -1)).map(Integer::valueOf).toList();
        int spread = Integer.parseInt(arguments[1]);
        int warmUp = Integer.parseInt(arguments[2]);
        int seconds = Integer.parseInt(arguments[3]);
        System.out.println(
                "runs  spread ms  windows  verdicts  confirming  inconclusive  p50 ms  p90 ms  p99 ms  max ms");
        boolean reached = true;
        for (int count : counts) {
            var figures = measured(count, spread, warmUp, seconds, arguments[4]);
            System.out.printf(Locale.ROOT, "%4d  %9d  %7d  %8d  %6d  %12d  %6.1f  %6.1f  %6.1f  %6.1f%n", count, spread,
                    figures.sent(), figures.micros().getTotalCount(), figures.confirming(), figures.inconclusive(),
                    figures.millis(50), figures.millis(90), figures.millis(99), figures.millis(100));
            reached = figures.millis(99) <= MAX_MILLIS && figures.micros().getTotalCount() == figures.sent();
        }
        System.exit(reached ? 0 : 1);
    }

    private static LiveServices.Figures measured(int count, int spread, int warmUp, int seconds, String threads)
            throws IOException {
        var folder = TemporaryFolder.create("latency");
        try (var broker = JavaProcess.start(BrokerProcess.class, List.of("-Xmx1g"))) {
            String address = broker.ready();
            try (var analyzer = JavaProcess.start(AnalyzerProcess.class, List.of("-Xmx2g"),
                    AnalyzerProcess.arguments(address, folder.toString(),
                            "--redliner.analyzer.stream.threads=" + threads,
                            "--redliner.analyzer.stream.standby-replicas=0"))) {
                analyzer.ready();
                try (var fleet = new LiveServices(address, count, spread, Clock.systemUTC())) {
                    return fleet.live(warmUp, seconds);
                }
            }
        } finally {
            TemporaryFolder.delete(folder);
        }
    }
}
