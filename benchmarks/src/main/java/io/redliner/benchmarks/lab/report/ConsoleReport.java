// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import java.util.Locale;

/** Lines for a terminal: ratios in per cent. */
public final class ConsoleReport {

    private ConsoleReport() {}

    /** The names of the columns. */
    public static String header() {
        return String.format(Locale.ROOT,
                "%-15s %-9s %4s %6s %6s %6s %5s %5s %6s %6s %7s %7s %7s %6s %6s %5s %6s %6s %7s %7s %6s %6s %6s %6s",
                "method",
                "kind", "n", "med%", "p95%", "bias%", "cov%", "hw%", "time", "t95", "excess", "ex95", "net", "brch_s",
                "long95", "off%", "found%", "wrong%", "warned%", "silent%", "score%", "best%", "best95", "x best");
    }

    /** One row. */
    public static String row(String method, String kind, AccuracyStatistics figures) {
        return String.format(Locale.ROOT,
                "%-15s %-9s %4d %6.2f %6.2f %6.2f %5.0f %5.2f %6.0f %6.0f %7.0f %7.0f %7.0f %6.1f %6.1f %5.1f %6.1f %6.1f %7.1f %7.1f %6.1f %6.2f %6.2f %6.1f",
                method, kind,
                figures.runs(), 100 * figures.medianError(), 100 * figures.error95(), 100 * figures.bias(),
                100 * figures.coverage(), 100 * figures.halfWidth(), figures.medianSeconds(), figures.seconds95(),
                figures.meanExcess(), figures.excess95(), figures.meanNet(), figures.meanBreachSeconds(),
                figures.longestBreach95(),
                100 * figures.off(), 100 * figures.found(), 100 * figures.wrong(), 100 * figures.warned(),
                100 * figures.silent(),
                100 * figures.intervalScore(), 100 * figures.best(), 100 * figures.best95(), figures.timesBest());
    }

    /** One run. */
    public static String row(LabRunResult run) {
        return String.format(Locale.ROOT,
                "%-15s %-9s seed %-6d %-14s %8.1f in %8.1f..%8.1f truth %8.1f err %+7.2f%% %s  %6.1f s  excess %7.0f"
                        + " net %7.0f breach %5.1f s%s",
                run.method(), run.kind(), run.seed(), run.answer().status(), run.answer().estimate(),
                run.answer().low(), run.answer().high(), run.truth(), 100 * run.error(),
                run.covered() ? "covered" : "MISSED ", run.harm().testedSeconds(), run.harm().excess(),
                run.harm().net(), run.harm().breachSeconds(), run.answer().beside() ? " beside noise" : "");
    }
}
