// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a series so far.
 *
 * @param verdict {@code BETTER}, {@code WORSE}, {@code SAME}, {@code FITTED} or {@code INCONCLUSIVE}
 * @param words one sentence for people
 */
public record SeriesResult(String verdict, String words, List<Figure> figures) {

    static final String INCONCLUSIVE = "INCONCLUSIVE";

    static final String WORSE = "WORSE";

    public SeriesResult {
        figures = List.copyOf(figures);
    }

    /** A number, with its 95 % interval where it has one. */
    public record Figure(String name, double value, @Nullable Double low, @Nullable Double high) {}

    /** Computes the result from the members that are over. */
    public static SeriesResult of(SeriesState state) {
        return state.profile() == Profile.REGRESSION ? regression(state) : scalability(state);
    }

    private static SeriesResult regression(SeriesState state) {
        List<Measurement> before = SeriesPlanner.measured(state, true);
        List<Measurement> after = SeriesPlanner.measured(state, false);
        long oldBroke = broke(state, SeriesPlanner.OLD);
        long newBroke = broke(state, SeriesPlanner.NEW);
        if (oldBroke + newBroke > 0) {
            return brokenAtThisLoad(state, oldBroke, newBroke);
        }
        Optional<RegressionComparison> compared = RegressionComparison.of(before, after, state.tolerance(),
                state.moreIsBetter());
        if (compared.isEmpty()) {
            return new SeriesResult(INCONCLUSIVE, "there are " + before.size() + " measurements of the old and "
                    + after.size() + " of the new one", List.of());
        }
        RegressionComparison comparison = compared.get();
        String words = (state.moreIsBetter() ? "capacity" : "latency") + " of the new one against the old one: "
                + NumberText.percent(comparison.change()) + " (95 %: " + NumberText.percent(comparison.low()) + " to "
                + NumberText.percent(comparison.high()) + "), of " + (before.size() + after.size())
                + " runs; what matters is " + NumberText.percent(state.tolerance()) + ", what could have been detected "
                + NumberText.percent(comparison.detectable());
        return new SeriesResult(comparison.verdict().name(), words,
                List.of(new Figure("change", comparison.change(), comparison.low(), comparison.high()),
                        new Figure("detectable", comparison.detectable(), null, null),
                        new Figure("tolerance", state.tolerance(), null, null)));
    }

    private static long broke(SeriesState state, String label) {
        return state.members()
                .stream()
                .filter(member -> member.label().equals(label))
                .map(SeriesState.Member::result)
                .filter(result -> result != null && result.outcome() == RunOutcome.THRESHOLD_FAILED)
                .count();
    }

    /** Runs that broke the SLA have no latency to compare, and the others alone would look better than they are. */
    private static SeriesResult brokenAtThisLoad(SeriesState state, long oldBroke, long newBroke) {
        long each = state.members().stream().filter(member -> member.label().equals(SeriesPlanner.NEW)).count();
        return new SeriesResult(oldBroke == 0 && newBroke == each ? WORSE : INCONCLUSIVE,
                "at this load the new one broke"
                        + " the SLA in " + newBroke + " of " + each + " runs, and the old one in " + oldBroke,
                List.of());
    }

    private static SeriesResult scalability(SeriesState state) {
        List<CapacityBySize.Point> points = new ArrayList<>();
        for (SeriesState.Member member : state.members()) {
            SeriesState.Result result = member.result();
            if (result != null && result.measurement() != null) {
                points.add(new CapacityBySize.Point(member.size(), result.measurement()));
            }
        }
        Optional<CapacityBySize> fitted = CapacityBySize.fit(points);
        if (fitted.isEmpty()) {
            return new SeriesResult(INCONCLUSIVE, "of " + points.size() + " measured sizes no law can be fitted: it"
                    + " takes four different ones, the largest at least twice the smallest", List.of());
        }
        CapacityBySize scaling = fitted.get();
        List<Figure> figures = new ArrayList<>(List.of(figure("lambda", scaling.lambda()),
                figure("sigma", scaling.sigma()), figure("kappa", scaling.kappa()),
                figure("amdahl.sigma", scaling.amdahl().sigma())));
        if (scaling.amdahl().bounded()) {
            figures.add(figure("amdahl.ceiling", scaling.amdahl().ceiling()));
        }
        CapacityBySize.Parameter peak = scaling.peak();
        if (peak != null) {
            figures.add(figure("peak.size", peak));
            scaling.at(peak.value()).ifPresent(value -> figures.add(new Figure("peak.capacity", value, null, null)));
        }
        return new SeriesResult("FITTED", peak == null
                ? "no size is known beyond which the capacity falls; measured was up to "
                        + NumberText.round(scaling.largest()) + byAmdahl(scaling)
                : "the capacity is largest at size " + NumberText.round(peak.value()) + " (95 %: "
                        + NumberText.round(peak.low()) + " to " + NumberText.round(peak.high()) + ")",
                figures);
    }

    /** Returns what the law without coherence says, as a clause; empty when no serial part can be seen. */
    private static String byAmdahl(CapacityBySize scaling) {
        AmdahlFit amdahl = scaling.amdahl();
        if (!amdahl.bounded()) {
            return "";
        }
        CapacityBySize.Parameter sigma = amdahl.sigma();
        CapacityBySize.Parameter ceiling = amdahl.ceiling();
        return "; by Amdahl's law " + NumberText.percent(sigma.value()) + " of the work is serial (95 %: "
                + NumberText.percent(sigma.low()) + " to " + NumberText.percent(sigma.high())
                + "), no size takes more than "
                + NumberText.round(ceiling.value()) + " requests/s (95 %: " + NumberText.round(ceiling.low()) + " to "
                + NumberText.round(ceiling.high()) + ")"
                + (scaling.isFar(amdahl.enough())
                        ? ""
                        : ", and from size " + NumberText.round(amdahl.enough()) + " on twice the size adds less than "
                                + NumberText.percent(AmdahlFit.WORTH));
    }

    private static Figure figure(String name, CapacityBySize.Parameter parameter) {
        return new Figure(name, parameter.value(), finite(parameter.low()), finite(parameter.high()));
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
