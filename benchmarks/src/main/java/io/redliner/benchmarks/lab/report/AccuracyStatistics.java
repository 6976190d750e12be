// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import io.redliner.benchmarks.lab.api.MethodResult.Status;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Figures of several runs. Parts are ratios, times in seconds, harm in requests.
 *
 * @param runs how many
 * @param medianError absolute
 * @param error95 95 % are absolutely smaller
 * @param bias median of the signed error
 * @param coverage part of the runs whose interval has the truth in it; NaN when the method gives no intervals
 * @param halfWidth median of the finite ones, relative; NaN when there is none
 * @param medianSeconds until there is an answer
 * @param seconds95 95 % take less
 * @param meanExcess requests harmed beyond the allowance
 * @param excess95 95 % harm fewer
 * @param meanNet requests harmed beyond the allowance and beyond what the peers suffered
 * @param meanBreachSeconds in breach of the SLA
 * @param longestBreach95 in a row; 95 % of the runs stay below
 * @param off part of the runs that are off by more than 10 %
 * @param found part of the runs that found a capacity
 * @param wrong part of the runs that found one which is off by more than 10 %
 * @param warned part of the runs that found one, with a warning
 * @param silent part of the runs that found one which is off by more than 10 %, without a warning
 * @param intervalScore mean of those that found one, relative: width of the 95 % interval, and 40 times what the truth is outside of
 *            it (Gneiting and Raftery 2007)
 * @param best median of the least errors that can be had in the same times; NaN when nobody asked
 * @param best95 95 % of those are smaller
 */
public record AccuracyStatistics(int runs, double medianError, double error95, double bias, double coverage,
        double halfWidth,
        double medianSeconds, double seconds95, double meanExcess, double excess95, double meanNet,
        double meanBreachSeconds,
        double longestBreach95, double off, double found, double wrong, double warned, double silent,
        double intervalScore, double best, double best95) {

    /**
     * Of at least one run.
     *
     * @throws IllegalArgumentException without any run
     */
    public static AccuracyStatistics of(List<LabRunResult> runs) {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("there are no figures of no runs");
        }
        double[] errors = sorted(runs, run -> Math.abs(run.error()));
        double[] seconds = sorted(runs, run -> run.harm().testedSeconds());
        double[] excess = sorted(runs, run -> run.harm().excess());
        double[] best = sorted(runs, LabRunResult::bestError);
        double[] widths = Arrays.stream(sorted(runs, LabRunResult::halfWidth)).filter(Double::isFinite).toArray();
        return new AccuracyStatistics(runs.size(), quantile(errors, 0.5), quantile(errors, 0.95),
                quantile(sorted(runs, LabRunResult::error), 0.5), coverage(runs),
                quantile(widths, 0.5), quantile(seconds, 0.5), quantile(seconds, 0.95),
                mean(runs, run -> run.harm().excess()), quantile(excess, 0.95),
                mean(runs, run -> run.harm().net()),
                mean(runs, run -> run.harm().breachSeconds()),
                quantile(sorted(runs, run -> run.harm().longestBreachSeconds()), 0.95),
                mean(runs, run -> run.off() ? 1 : 0), mean(runs, run -> isFound(run) ? 1 : 0),
                mean(runs, run -> isFound(run) && run.off() ? 1 : 0),
                mean(runs, run -> isFound(run) && run.answer().warned() ? 1 : 0),
                mean(runs, run -> isFound(run) && run.off() && !run.answer().warned() ? 1 : 0),
                mean(runs.stream().filter(AccuracyStatistics::isFound).toList(), LabRunResult::intervalScore),
                quantile(best, 0.5), quantile(best, 0.95));
    }

    /** How many times as large the median error is as the least that can be had; NaN when nobody asked for that. */
    public double timesBest() {
        return medianError / best;
    }

    private static boolean isFound(LabRunResult run) {
        return run.answer().status() == Status.FOUND;
    }

    private static double coverage(List<LabRunResult> runs) {
        boolean without = runs.stream().map(LabRunResult::answer)
                .anyMatch(answer -> answer.status() == Status.FOUND && Double.isNaN(answer.low()));
        return without ? Double.NaN : mean(runs, run -> run.covered() ? 1 : 0);
    }

    private static double mean(List<LabRunResult> runs, ToDoubleFunction<LabRunResult> figure) {
        return runs.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    private static double[] sorted(List<LabRunResult> runs, ToDoubleFunction<LabRunResult> figure) {
        return runs.stream().mapToDouble(figure).sorted().toArray();
    }

    /** Between two values linearly. */
    private static double quantile(double[] sorted, double part) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double position = part * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** Statistics by a key of the runs, in the order in which each key first appears. */
    static Map<String, AccuracyStatistics> by(Function<LabRunResult, String> key, List<LabRunResult> runs) {
        return runs.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new,
                Collectors.collectingAndThen(Collectors.toList(), AccuracyStatistics::of)));
    }
}
