// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

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

    /** The figure of this name. */
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
        marks(progress.marks(), figures);
        RecoveryProgress recovery = progress.recovery();
        if (recovery != null && recovery.took() != null) {
            figures.add(new Figure("recovery", seconds(recovery.took()), "seconds"));
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

    private static void marks(LoadMilestones marks, List<Figure> figures) {
        if (marks.lastGood() != null) {
            figures.add(new Figure("load.lastGood", marks.lastGood(), "requests/s"));
        }
        if (marks.firstBreach() != null) {
            figures.add(new Figure("load.firstBreach", marks.firstBreach().requestsPerSecond(), "requests/s"));
        }
        if (marks.failure() != null) {
            figures.add(new Figure("load.failure", marks.failure().requestsPerSecond(), "requests/s"));
        }
    }

    static String unit(String gauge) {
        return gauge.equals(DriftMetric.MEMORY.gauge()) ? "ratio" : "seconds";
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
