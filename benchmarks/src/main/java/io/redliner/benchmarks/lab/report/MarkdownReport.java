// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables: all methods over all kinds, and each of some methods by kind. */
public final class MarkdownReport {

    private static final String COLUMNS = " | runs | median error, % | 95 % within, % | bias, % |"
            + " interval covers, % | half width, % | time, median, s | 95 % within, s | requests harmed, mean |"
            + " 95 % below | in breach, s | off by > 10 %, % | interval score, % | of the best possible error, % |";

    private MarkdownReport() {}

    /**
     * Replaces the file.
     *
     * @param intro what was run, and how
     * @param method which gets a table by kind of its own
     */
    public static void write(Path file, String intro, String method, List<LabRunResult> runs) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("# Accuracy of the search, measured in the lab");
        lines.add("");
        lines.add(intro);
        lines.add("");
        lines.add("## All kinds of servers together");
        lines.add("");
        table(lines, "method", AccuracyStatistics.by(LabRunResult::method, runs));
        var ours = runs.stream().filter(run -> run.method().equals(method)).toList();
        if (!ours.isEmpty()) {
            lines.add("");
            lines.add("## " + method + ", by kind of server");
            lines.add("");
            table(lines, "kind", AccuracyStatistics.by(LabRunResult::kind, ours));
        }
        Files.write(file, lines);
    }

    private static void table(List<String> lines, String name, Map<String, AccuracyStatistics> rows) {
        lines.add("| " + name + COLUMNS);
        lines.add("|---|" + "--:|".repeat(14));
        rows.forEach((row, figures) -> lines.add(String.format(Locale.ROOT,
                "| %s | %d | %.1f | %.1f | %+.1f | %s | %s | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %s | %s |",
                row, figures.runs(), 100 * figures.medianError(), 100 * figures.error95(), 100 * figures.bias(),
                percent("%.0f", figures.coverage()), percent("%.1f", figures.halfWidth()),
                figures.medianSeconds(), figures.seconds95(), figures.meanExcess(), figures.excess95(),
                figures.meanBreachSeconds(), 100 * figures.off(), percent("%.1f", figures.intervalScore()),
                percent("%.0f", figures.timesBest()))));
    }

    private static String percent(String format, double ratio) {
        return Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, format, 100 * ratio);
    }
}
