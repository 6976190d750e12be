// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an endurance run says of growth. A series drifts when its growth is both significant and large enough to matter; it
 * is steady when, with 95 % confidence, it grew by less than what matters; otherwise nobody knows.
 */
record DriftReport(List<Series> series) {

    enum Verdict {
        DRIFTING, STEADY, UNKNOWN
    }

    /**
     * One of what is watched.
     *
     * @param matters growth over the hold that does, in its unit
     * @param trend empty when too little was measured
     */
    record Series(Watched watched, boolean measured, double matters, Optional<Trend> trend) {

        Verdict verdict() {
            if (trend.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            Trend found = trend.get();
            if (found.significant() && found.growth() >= matters) {
                return Verdict.DRIFTING;
            }
            return found.growthAtMost() < matters ? Verdict.STEADY : Verdict.UNKNOWN;
        }

        private String words() {
            String name = watched.gauge();
            return trend.map(found -> name + " " + switch (verdict()) {
                case DRIFTING -> "grew by ";
                case STEADY -> "is steady, it grew by ";
                case UNKNOWN -> "may have grown by ";
            } + Words.brief(found.growth()) + " (95 % sure: " + Words.brief(found.growthAtLeast()) + " or more, "
                    + Words.brief(found.growthAtMost()) + " or less; what matters is " + Words.brief(matters)
                    + ", what could have been told " + Words.brief(found.detectable()) + ")")
                    .orElse(name + (measured ? " was measured too little" : " was not measured"));
        }
    }

    static DriftReport of(StepPlan.Hold plan, Progress progress) {
        StepPlan.Hold.Drift drift = plan.drift();
        if (drift == null) {
            throw new IllegalArgumentException("no drift is looked for");
        }
        List<Series> all = new ArrayList<>();
        for (Watched watched : Watched.values()) {
            Blocks blocks = progress.gauges().getOrDefault(watched.gauge(), Blocks.NONE);
            all.add(new Series(watched, !blocks.equals(Blocks.NONE), drift.part() * reference(watched, drift, blocks),
                    Trend.of(blocks.means())));
        }
        return new DriftReport(all);
    }

    private static double reference(Watched watched, StepPlan.Hold.Drift drift, Blocks blocks) {
        if (!watched.ofLatency()) {
            return 1;
        }
        Double limit = drift.latencyLimitSeconds();
        return limit != null
                ? limit
                : blocks.means().stream().limit(8).mapToDouble(Double::doubleValue).average().orElse(0);
    }

    Answer answer(String held) {
        boolean drifting = series.stream().anyMatch(one -> one.verdict() == Verdict.DRIFTING);
        boolean unknown = series.stream()
                .anyMatch(one -> one.verdict() == Verdict.UNKNOWN
                        && (one.measured() || one.watched() == Watched.LATENCY_P99));
        Answer.Kind kind = drifting
                ? Answer.Kind.DRIFTING
                : unknown ? Answer.Kind.DRIFT_UNKNOWN : Answer.Kind.SLA_HELD;
        return new Answer(kind, held + "; " + words());
    }

    String words() {
        return series.stream().map(Series::words).collect(Collectors.joining("; "));
    }

    List<Report.Figure> figures() {
        List<Report.Figure> figures = new ArrayList<>();
        for (Series one : series) {
            String name = "drift." + one.watched().gauge();
            String unit = Report.unit(one.watched().gauge());
            one.trend().ifPresent(trend -> {
                figures.add(new Report.Figure(name, trend.growth(), unit));
                figures.add(new Report.Figure(name + ".atLeast", trend.growthAtLeast(), unit));
                figures.add(new Report.Figure(name + ".atMost", trend.growthAtMost(), unit));
                figures.add(new Report.Figure(name + ".detectable", trend.detectable(), unit));
                figures.add(new Report.Figure(name + ".matters", one.matters(), unit));
            });
        }
        return figures;
    }
}
