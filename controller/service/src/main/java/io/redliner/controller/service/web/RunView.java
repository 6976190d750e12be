// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExceedanceCurve;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.Headline;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.PauseStatus;
import io.redliner.controller.core.run.ProfileFindings;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.service.report.HarmView;
import io.redliner.controller.service.report.RestoreView;
import io.redliner.controller.service.report.RunCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A run. Shares are ratios, times seconds, rates requests/s.
 *
 * @param choice why this SUT; absent when the plan names it
 * @param exitCode see {@link ExitCode}; absent while it goes on
 * @param headline see {@link Headline}; absent while it goes on
 * @param limit what ends it at the latest; absent before it has begun and once its end is decided
 * @param pause whether its traffic is natural; absent when it is not paused, and in lists
 * @param approval that it waits for; absent when it waits for none
 * @param notes what the author of its plan should know; absent in lists
 * @param exceedances counted and fitted over the load; absent in lists, while it goes on, and when the search reported none
 */
record RunView(String id, String service, String sut, String plan, String planHash, String phase,
        @Nullable String outcome, @Nullable StopView stopReason, long epoch, Instant submittedAt,
        @Nullable Instant finishedAt, double naturalShare, double askedShare, double maxShare, double windowSeconds,
        double maxDurationSeconds, HarmView harm, @Nullable ResultView result, @Nullable RestoreView restore,
        List<RunCondition> conditions, long journalSequence, @Nullable WindowView window,
        @Nullable PreviousView previous, @Nullable EstimateView estimate,
        List<SearchConclusion.Finding> bottleneck, List<SearchConclusion.ValidityCheck> validity, String profile,
        @Nullable ProfileFindings report, @Nullable SutSelectionView choice, @Nullable Integer exitCode,
        @Nullable String headline, @Nullable LimitView limit, @Nullable PauseView pause,
        @Nullable ApprovalView approval,
        @Nullable List<String> notes, @Nullable ExceedanceCurve exceedances) {

    /** Instant and stop code of the limit that ends it at the latest: its longest duration or a freeze. */
    record LimitView(Instant at, String code) {}

    /** The approval that a run waits for: who submitted it and cannot give it, and until when it waits. */
    record ApprovalView(String submittedBy, Instant until) {

        static @Nullable ApprovalView of(RunState state) {
            StartConditions.Approval approval = state.facts().clearance().approval();
            return approval != null && state instanceof RunState.Pending && state.facts().awaitsApproval()
                    ? new ApprovalView(approval.askedBy(), state.facts().submittedAt().plus(approval.within()))
                    : null;
        }
    }

    /** Traffic of a paused run, the share that was measured, and all of it as one text. */
    record PauseView(PauseStatus.Traffic traffic, @Nullable Double measuredShare, String detail) {

        static @Nullable PauseView of(RunState state, @Nullable JudgedWindow newest) {
            return PauseStatus.of(state, newest == null ? null : newest.verdict())
                    .map(pause -> new PauseView(pause.traffic(),
                            pause.measured() == null ? null : pause.measured().ratio(), pause.detail()))
                    .orElse(null);
        }
    }

    /** The reason why the run stopped. */
    record StopView(String code, String detail) {}

    /**
     * The result.
     *
     * @param lowerBound the capacity is at least {@code low}
     * @param doubts checks that do not hold
     * @param combined with what earlier runs found; absent when none counts, and when this one may not be combined
     */
    record ResultView(double capacity, double low, double high, boolean lowerBound, String limitingRule,
            @Nullable Double limitingValue, @Nullable Double limitingThreshold, @Nullable Double lastGood,
            @Nullable Double firstBad, double durationSeconds, List<String> doubts,
            Certainty certainty, @Nullable KnownCapacity combined) {}

    /**
     * The estimate of the search in a run that has no result. It must not be taken for a result.
     *
     * @param high 0 when nothing broke the SLA
     * @param lastGood the highest load that held
     */
    record EstimateView(double capacity, double low, double high, String limitingRule, @Nullable Double lastGood) {}

    /** The capacity of this instance that was known before, and the change as a ratio of it. */
    record PreviousView(String runId, double capacity, double change) {}

    /** A run in a list. */
    static RunView brief(StoredRun run) {
        return of(run, null, null, null, null);
    }

    /** A run by itself, with its newest window, with what was known before and with notes on its plan. */
    static RunView full(StoredRun run, @Nullable JudgedWindow newest, @Nullable PreviousView previous,
            List<String> notes) {
        return of(run, newest == null ? null : WindowView.of(newest), PauseView.of(run.state(), newest), previous,
                notes);
    }

    private static RunView of(StoredRun run, @Nullable WindowView window, @Nullable PauseView pause,
            @Nullable PreviousView previous, @Nullable List<String> notes) {
        RunState state = run.state();
        RunEnd ending = state.ending();
        SearchConclusion conclusion = ending == null ? null : ending.conclusion();
        return new RunView(run.id(), state.facts().service(), state.facts().sut(), run.plan().name(), run.plan().hash(),
                state.phase().wireName(), ending == null ? null : ending.outcome().name(),
                ending == null ? null : new StopView(ending.reason().code().wireName(), ending.reason().detail()),
                state.facts().epoch(), run.submittedAt(), run.finishedAt(), state.facts().naturalShare().ratio(),
                state.askedShare().ratio(),
                state.facts().bounds().maxShare().ratio(), seconds(state.facts().bounds().window()),
                seconds(state.facts().bounds().maxDuration()), HarmView.of(state.harm()), result(state),
                RestoreView.of(state),
                RunCondition.of(state), run.journalSequence(), window, previous, estimate(ending),
                conclusion == null ? List.of() : conclusion.bottleneck(),
                conclusion == null ? List.of() : conclusion.validity(), profile(state), report(state),
                SutSelectionView.ofIfAny(state.facts().chosen()), ExitCode.numberOf(state),
                Headline.of(state).orElse(null), limit(state), pause, ApprovalView.of(state), notes,
                // Notes are absent in lists.
                conclusion == null || notes == null ? null : conclusion.exceedances());
    }

    private static @Nullable LimitView limit(RunState state) {
        return state instanceof RunState.Leased && state.ending() == null
                ? new LimitView(state.facts().turnBack(), state.facts().limit().wireName())
                : null;
    }

    private static String profile(RunState state) {
        StepPlan plan = state.facts().profile();
        return (plan == null ? Profile.CAPACITY : plan.profile()).name().toLowerCase(Locale.ROOT);
    }

    /** The findings of the profile, also while the run is live. */
    private static @Nullable ProfileFindings report(RunState state) {
        RunEnd ending = state.ending();
        if (ending != null) {
            return ending.findings();
        }
        StepPlan plan = state.facts().profile();
        return plan != null && plan.steers() && state instanceof RunState.Leased leased
                ? ProfileFindings.of(plan, leased.course().progress())
                : null;
    }

    private static @Nullable EstimateView estimate(@Nullable RunEnd ending) {
        if (ending == null || ending.outcome() != RunOutcome.INCONCLUSIVE) {
            return null;
        }
        return ending.posterior().map(estimate -> new EstimateView(estimate.capacity(), estimate.low(), estimate.high(),
                estimate.limitingRule(), estimate.lastGood())).orElse(null);
    }

    private static @Nullable ResultView result(RunState state) {
        if (!(state instanceof RunState.Finished finished)) {
            return null;
        }
        RunEnd ending = finished.ending();
        Certainty certainty = ending.certainty();
        return ending.capacity().map(found -> new ResultView(found.capacity(), found.low(), found.high(),
                ending.lowerBound(), found.limitingRule(), found.limitingValue(), found.limitingThreshold(),
                found.lastGood(), found.firstBad(), seconds(finished.duration()), certainty.doubts(),
                certainty, ending.combined().orElse(null))).orElse(null);
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
