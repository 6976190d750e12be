// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a profile so far, for people and for series.
 *
 * @param words one sentence; empty without a finding
 */
public record ProfileFindings(List<Figure> figures, String words) {

    public ProfileFindings {
        figures = List.copyOf(figures);
    }

    /**
     * A number.
     *
     * @param unit {@code seconds}, {@code requests/s}, {@code ratio}, {@code count}, {@code windows} or empty
     */
    public record Figure(String name, double value, String unit) {}

    /** Returns the figure of this name. */
    public Optional<Figure> figure(String name) {
        return figures.stream().filter(figure -> figure.name().equals(name)).findFirst();
    }

    /** Collects the findings of a plan that is under way or over. */
    public static ProfileFindings of(StepPlan plan, @Nullable StepPlanProgress progress) {
        if (progress == null) {
            return new ProfileFindings(List.of(), "");
        }
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure("windows.counted", progress.attendance().counted(), "windows"));
        figures.add(new Figure("windows.broken", progress.attendance().broken(), "windows"));
        figures.add(new Figure("windows.missing", progress.attendance().missing(), "windows"));
        milestones(progress.marks(), figures);
        RecoveryProgress recovery = progress.recovery();
        if (recovery != null && recovery.took() != null) {
            figures.add(new Figure("recovery", seconds(recovery.took()), "seconds"));
        }
        if (plan instanceof StepPlan.Recheck recheck) {
            figures.addAll(RecheckSteps.findings(recheck, progress));
            return new ProfileFindings(figures, "");
        }
        progress.gauges().forEach((name, blocks) -> BatchMeanEstimate.of(blocks).ifPresent(mean -> {
            figures.add(new Figure(name, mean.mean(), unit(name)));
            figures.add(new Figure(name + ".error", mean.error(), unit(name)));
        }));
        String words = "";
        if (plan instanceof StepPlan.Hold hold && hold.drift() != null) {
            DriftAnalysis drift = DriftAnalysis.of(hold, progress);
            figures.addAll(drift.figures());
            words = drift.words();
        }
        return new ProfileFindings(figures, words);
    }

    private static void milestones(LoadMilestones milestones, List<Figure> figures) {
        if (milestones.lastGood() != null) {
            figures.add(new Figure("load.lastGood", milestones.lastGood(), "requests/s"));
        }
        if (milestones.firstBreach() != null) {
            figures.add(new Figure("load.firstBreach", milestones.firstBreach().requestsPerSecond(), "requests/s"));
        }
        if (milestones.failure() != null) {
            figures.add(new Figure("load.failure", milestones.failure().requestsPerSecond(), "requests/s"));
        }
    }

    static String unit(String gauge) {
        return gauge.equals(DriftMetric.MEMORY.gauge()) ? "ratio" : "seconds";
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    /**
     * The mean of a series of correlated values, with its standard error by the means of its blocks (the method of batch means:
     * G. S. Fishman, Grouping Observations in Digital Simulation, Management Science 24 (1978), p. 510-521): blocks are joined
     * until their means are hardly correlated, and the remaining correlation widens the error.
     *
     * @param error standard error of the mean
     */
    record BatchMeanEstimate(double mean, double error) {

        private static final int MIN_MEANS = 8;

        static Optional<BatchMeanEstimate> of(BatchMeans blocks) {
            List<Double> means = blocks.means();
            if (means.size() < MIN_MEANS) {
                return Optional.empty();
            }
            while (means.size() >= 2 * MIN_MEANS
                    && Autocorrelation.lagOne(values(means)) > Autocorrelation.MAX_CORRELATION) {
                means = BatchMeans.halved(means);
            }
            double[] values = values(means);
            double mean = Autocorrelation.mean(values);
            double squares = 0;
            for (double value : values) {
                squares += (value - mean) * (value - mean);
            }
            double variance = squares / (values.length - 1);
            return Optional.of(new BatchMeanEstimate(mean, Math.sqrt(
                    variance / values.length
                            * Autocorrelation.inflation(Autocorrelation.lagOne(values), values.length))));
        }

        private static double[] values(List<Double> means) {
            return means.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }
}
