// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of an endurance run about growth. A series drifts when its growth is both significant and large enough to
 * matter; it is steady when, with 95 % confidence, it grew by less than that; otherwise the result is unknown.
 */
record DriftAnalysis(List<Series> series) {

    enum Verdict {
        DRIFTING, STEADY, UNKNOWN
    }

    /**
     * The series of one metric.
     *
     * @param matters the smallest growth over the hold that matters, in the metric's unit
     * @param trend empty when too little was measured
     */
    record Series(DriftMetric metric, boolean measured, double matters, Optional<TheilSenTrend> trend) {

        Verdict verdict() {
            if (trend.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            TheilSenTrend found = trend.get();
            if (found.significant() && found.growth() >= matters) {
                return Verdict.DRIFTING;
            }
            return found.growthAtMost() < matters ? Verdict.STEADY : Verdict.UNKNOWN;
        }

        private String words() {
            String name = metric.gauge();
            return trend.map(found -> name + " " + switch (verdict()) {
                case DRIFTING -> "grew by ";
                case STEADY -> "is steady, it grew by ";
                case UNKNOWN -> "may have grown by ";
            } + NumberText.round(found.growth()) + " (95 % sure: " + NumberText.round(found.growthAtLeast())
                    + " or more, "
                    + NumberText.round(found.growthAtMost()) + " or less; what matters is " + NumberText.round(matters)
                    + ", what could have been detected " + NumberText.round(found.detectable()) + ")")
                    .orElse(name + (measured ? " was measured too little" : " was not measured"));
        }
    }

    static DriftAnalysis of(StepPlan.Hold plan, StepPlanProgress progress) {
        StepPlan.Hold.Drift drift = plan.drift();
        if (drift == null) {
            throw new IllegalArgumentException("no drift is looked for");
        }
        List<Series> all = new ArrayList<>();
        for (DriftMetric metric : DriftMetric.values()) {
            BatchMeans blocks = progress.gauges().getOrDefault(metric.gauge(), BatchMeans.NONE);
            all.add(new Series(metric, !blocks.equals(BatchMeans.NONE), drift.part() * reference(metric, drift, blocks),
                    TheilSenTrend.of(blocks.means())));
        }
        return new DriftAnalysis(all);
    }

    private static double reference(DriftMetric metric, StepPlan.Hold.Drift drift, BatchMeans blocks) {
        if (!metric.ofLatency()) {
            return 1;
        }
        Double limit = drift.latencyLimitSeconds();
        return limit != null
                ? limit
                : blocks.means().stream().limit(8).mapToDouble(Double::doubleValue).average().orElse(0);
    }

    RunEnd answer(String held) {
        boolean drifting = series.stream().anyMatch(one -> one.verdict() == Verdict.DRIFTING);
        boolean unknown = series.stream()
                .anyMatch(one -> one.verdict() == Verdict.UNKNOWN
                        && (one.measured() || one.metric() == DriftMetric.LATENCY_P99));
        String detail = held + "; " + words();
        if (drifting) {
            return RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.DRIFTING, detail);
        }
        return unknown
                ? RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.DRIFT_UNKNOWN, detail)
                : RunEnd.of(RunOutcome.PASSED, StopCode.SLA_HELD, detail);
    }

    String words() {
        return series.stream().map(Series::words).collect(Collectors.joining("; "));
    }

    List<ProfileFindings.Figure> figures() {
        List<ProfileFindings.Figure> figures = new ArrayList<>();
        for (Series one : series) {
            String name = "drift." + one.metric().gauge();
            String unit = ProfileFindings.unit(one.metric().gauge());
            one.trend().ifPresent(trend -> {
                figures.add(new ProfileFindings.Figure(name, trend.growth(), unit));
                figures.add(new ProfileFindings.Figure(name + ".atLeast", trend.growthAtLeast(), unit));
                figures.add(new ProfileFindings.Figure(name + ".atMost", trend.growthAtMost(), unit));
                figures.add(new ProfileFindings.Figure(name + ".detectable", trend.detectable(), unit));
                figures.add(new ProfileFindings.Figure(name + ".matters", one.matters(), unit));
            });
        }
        return figures;
    }
}
