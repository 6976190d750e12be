// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.run.ExceedanceCurve;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.controller.core.run.SearchConclusion;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All results of a run but its single windows. Rates are requests/s, shares and parts ratios, times seconds.
 *
 * @param result absent when the run found none
 * @param estimate the search's estimate of a run without a result; not a result
 * @param previous capacity of the same instance; absent when there is none, or no result
 * @param restore absent while the run is live
 * @param sections what its kind of test says beyond that
 * @param exceedances counted and fitted over the load; absent while the run is live, and when the search reported none
 * @param highlights in sentences, see {@link RunHighlights}
 */
public record RunReport(Head head, @Nullable Result result, @Nullable Result estimate, @Nullable Previous previous,
        HarmView harm, @Nullable RestoreView restore, List<SearchConclusion.Finding> bottleneck,
        List<SearchConclusion.ValidityCheck> validity, List<RunCondition> conditions, List<StepView> steps,
        List<RuleSummary> rules, List<ReportCheck> claims, List<Section> sections,
        @Nullable ExceedanceCurve exceedances, List<RunHighlights.Sentence> highlights) {

    public RunReport {
        bottleneck = List.copyOf(bottleneck);
        validity = List.copyOf(validity);
        conditions = List.copyOf(conditions);
        steps = List.copyOf(steps);
        rules = List.copyOf(rules);
        claims = List.copyOf(claims);
        sections = List.copyOf(sections);
        highlights = List.copyOf(highlights);
    }

    /** Returns the result, or else the estimate. */
    public @Nullable Result resultOrEstimate() {
        return result == null ? estimate : result;
    }

    /**
     * The run and its end.
     *
     * @param version of the SUT's software; absent when unknown
     * @param profile the kind of test, as in the plan
     * @param live the run is not over: everything here may change
     * @param headline what came of it; absent while it is live
     * @param exitCode the exit code for a pipeline; absent while it is live
     * @param durationSeconds from the submission to the end, of a live run until now
     * @param windows that were judged
     */
    public record Head(String runId, String service, String sut, @Nullable String version,
            @Nullable String hardware, String plan, String planHash, String profile, String phase, boolean live,
            @Nullable String outcome, @Nullable String stopCode, @Nullable String stopReason,
            @Nullable String headline, @Nullable Integer exitCode, Instant submittedAt, @Nullable Instant finishedAt,
            double durationSeconds, double naturalShare, double maxShare, long windows, Instant reportedAt) {

        /** Returns true when the plan's question has an answer that is not no. */
        boolean answered() {
            return exitCode != null && (exitCode == ExitCode.ANSWERED.code() || exitCode == ExitCode.UNSAFE.code());
        }
    }

    /**
     * A capacity.
     *
     * @param lowerBound nothing limited it: the capacity is at least {@code low}
     */
    public record Result(double capacity, double low, double high, boolean lowerBound, String limitingRule,
            @Nullable Double limitingValue, @Nullable Double limitingThreshold, @Nullable Double lastGood,
            @Nullable Double firstBad) {}

    /** The capacity that was known before. */
    public record Previous(String runId, @Nullable String version, double capacity, double low, double high,
            CapacityChange change) {}
}
