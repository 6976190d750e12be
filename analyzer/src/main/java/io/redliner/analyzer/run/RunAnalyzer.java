// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evaluation.WindowEvaluation;
import io.redliner.analyzer.evaluation.WindowEvaluator;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.runstats.LoadBounds;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TelemetryCoverage;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchInput;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.SampleSizeCheck;
import io.redliner.sla.Scope;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Analyses one run, window by window. For one thread. Another process can resume from its state. An analyzer that starts in the
 * middle of a run without that state gives up, because it does not know the loads that were tried before.
 */
public final class RunAnalyzer {

    private static final Duration RATE_KNOWN = Duration.ofSeconds(3);

    private final CapacitySearch search;

    private final WindowEvaluator windowEvaluator;

    private RunContext run;

    private RunAnalysisState state;

    private RunAnalyzer(RunContext run, CapacitySearch search, RunAnalysisState state) {
        this.run = run;
        this.search = search;
        this.windowEvaluator = new WindowEvaluator(run.criteria());
        this.state = state;
    }

    /** Starts the analysis of a run at the run's beginning. */
    public static RunAnalyzer begin(RunContext run, CapacitySearch search) {
        return new RunAnalyzer(run, search, state(run, search, false, 0));
    }

    /** Resumes the analysis of a run from the state of another process, or of this one before a restart. */
    public static RunAnalyzer resume(RunContext run, CapacitySearch search, RunAnalysisState state) {
        if (!state.of(run)) {
            throw new IllegalArgumentException("the state of run " + state.runId() + " in epoch " + state.epoch()
                    + " is not that of run " + run.runId() + " in epoch " + run.epoch());
        }
        var analysis = new RunAnalyzer(run, search, state);
        analysis.update(run);
        return analysis;
    }

    /**
     * Starts the analysis of a run whose state is lost. Its verdicts are numbered above all numbers that can have been used.
     */
    public static RunAnalyzer lost(RunContext run, CapacitySearch search, long nowMillis) {
        long windows = Math.max(0, nowMillis - run.startedAtMillis()) / run.windowLength().toMillis();
        return new RunAnalyzer(run, search, state(run, search, run.stage() != Stage.WAITING, windows + 1));
    }

    private static RunAnalysisState state(RunContext run, CapacitySearch search, boolean lost, long sequence) {
        return new RunAnalysisState(run.runId(), run.epoch(), sequence, lost, Optional.empty(), true, search.begin(),
                RunStatistics.NONE);
    }

    /** Returns the state from which another process can {@link #resume}. */
    public RunAnalysisState state() {
        return state;
    }

    /** Returns the controller's newest record of the run. */
    public RunContext run() {
        return run;
    }

    /** Updates the run with a newer record, from its controller or from one that has taken the run over. */
    public void update(RunContext newRun) {
        // This search is still at its baseline, so the advice that the controller follows came from a search whose state is lost.
        if (newRun.stage() == Stage.FOLLOWING && state.search().advice().phase() == SearchAdvice.Phase.BASELINE) {
            state = state.markLost();
        }
        state = state.inEpoch(newRun.epoch());
        run = newRun.after(run);
    }

    /**
     * Counts an observation of the service.
     *
     * @param lost observations missing before it, by its sequence number; negative when it had been counted as missing itself
     */
    void received(IngestResult ingestResult, long lost) {
        state = state.with(state.evidence().received(ingestResult, lost));
    }

    /** Replaces the coverage of the windows so far. */
    void counted(TelemetryCoverage coverage) {
        state = state.with(state.evidence().with(coverage));
    }

    /**
     * Judges the next window.
     *
     * @param serviceRequestsPerSecond requests/s of the whole service that the lease addresses, smoothed over the last windows
     */
    public WindowResult next(ServiceWindow window, double serviceRequestsPerSecond) {
        var evaluation = windowEvaluator.judge(window, state.baseline());
        state = state.next();
        applyHistories(window);
        var inForce = state.search().advice();
        var advice = advice(window, evaluation, serviceRequestsPerSecond);
        if (advice.phase() != SearchAdvice.Phase.ENDED) {
            updateBaseline(window, evaluation, advice);
        }
        if (run.searched() && !run.judgedOnly()) {
            state = state.with(state.evidence().after(window, evaluation, state.search().countsLastWindow(), inForce,
                    new LoadBounds(run.criteria().sut(), run.naturalShare(),
                            run.largestShare() * serviceRequestsPerSecond)));
        }
        boolean cutOff = run.stage() == Stage.RESTORING && !run.judgedOnly() && !state.search().ended();
        var diagnosis = cutOff
                ? RunDiagnosis.unanswered(state.evidence(), state.search(), run.criteria().sut())
                : RunDiagnosis.of(state.evidence(), state.search(), advice, run.criteria().sut());
        return new WindowResult(run, state.sequence(), window, evaluation, cutOff ? advice : diagnosis.applyTo(advice),
                serviceRequestsPerSecond,
                diagnosis.equals(RunDiagnosis.NONE)
                        ? diagnosis
                        : diagnosis.with(search.curve(state.search(), evaluation.sla())));
    }

    private void applyHistories(ServiceWindow window) {
        var histories = window.histories();
        if (!histories.isEmpty() && !state.lost()) {
            state = state.searched(
                    search.recall(state.search(), histories, run.criteria().sut(), run.windowLength()));
        }
    }

    /**
     * Updates the baseline while it is measured. Windows of a cold server and incomplete windows are not used; until there is a
     * better one, relative rules are judged by the baseline before. A search that begins anew measures a new baseline once its
     * load is natural.
     */
    private void updateBaseline(ServiceWindow window, WindowEvaluation evaluation, SearchAdvice advice) {
        boolean natural = advice.phase() == SearchAdvice.Phase.BASELINE && advice.action() == SearchAdvice.Action.HOLD;
        if (!natural && !state.search().settledInBaseline()) {
            return;
        }
        var sut = evaluation.sla().measurements().of(Scope.SUT).filter(unused -> windowEvaluator.complete(window));
        if (run.stage() != Stage.WAITING && state.search().cold()) {
            state = state.withProvisionalBaseline();
        } else if (sut.isPresent()) {
            boolean waiting = run.stage() == Stage.WAITING;
            var known = state.provisional() && !waiting ? Optional.<WindowStats>empty() : state.baseline();
            state = state.withBaseline(
                    known.map(before -> WindowStats.concatenate(List.of(before, sut.get()))).orElse(sut.get()),
                    waiting);
        }
    }

    private SearchAdvice advice(ServiceWindow window, WindowEvaluation evaluation, double serviceRequestsPerSecond) {
        double natural = run.naturalShare() * serviceRequestsPerSecond;
        if (run.judgedOnly()) {
            return judgedOnly(evaluation, natural);
        }
        var objection = objection(window, serviceRequestsPerSecond);
        if (objection.isPresent()) {
            return new SearchAdvice(SearchAdvice.Action.GIVE_UP, 0, SearchAdvice.Phase.ENDED, objection.get(), 0,
                    Optional.empty());
        }
        return switch (run.stage()) {
            case WAITING -> hold(natural, SearchAdvice.Phase.BASELINE, "the run is being prepared");
            case RESTORING, FINISHED -> hold(natural, SearchAdvice.Phase.ENDED, "the share goes back to natural");
            case PAUSED, BASELINE, FOLLOWING ->
                state.lost() ? lost() : searched(window, evaluation, serviceRequestsPerSecond);
        };
    }

    /** Returns the advice for a run that follows a plan of its own: the search stays at its beginning. */
    private SearchAdvice judgedOnly(WindowEvaluation evaluation, double natural) {
        var reason = evaluation.sla().reason().isEmpty()
                ? "the controller follows a plan of its own"
                : "not counted: " + evaluation.sla().reason();
        return switch (run.stage()) {
            case WAITING, BASELINE -> hold(natural, SearchAdvice.Phase.BASELINE, reason);
            case PAUSED, FOLLOWING -> hold(natural, SearchAdvice.Phase.CONFIRMING, reason);
            case RESTORING, FINISHED -> hold(natural, SearchAdvice.Phase.ENDED, "the share goes back to natural");
        };
    }

    /** Checks the sample size, before any load is moved and once the request rate has been seen for some seconds. */
    private Optional<String> objection(ServiceWindow window, double serviceRequestsPerSecond) {
        boolean known = window.length().multipliedBy(state.sequence()).compareTo(RATE_KNOWN) >= 0;
        return known && (run.stage() == Stage.WAITING || run.stage() == Stage.BASELINE)
                ? SampleSizeCheck.objection(run.criteria().sla(), run.largestShare(), serviceRequestsPerSecond)
                : Optional.empty();
    }

    private SearchAdvice searched(ServiceWindow window, WindowEvaluation evaluation, double serviceRequestsPerSecond) {
        if (run.stage() == Stage.PAUSED) {
            var last = state.search().advice();
            double load = last.requestsPerSecond() > 0
                    ? last.requestsPerSecond()
                    : run.naturalShare() * serviceRequestsPerSecond;
            return state.search().ended() ? last : hold(load, last.phase(), "the run is paused");
        }
        var sut = window.instances().get(run.criteria().sut());
        double seconds = window.length().toNanos() / 1e9;
        var searchInput = new SearchInput(window.length(), evaluation.sla(), sut == null ? 0 : sut.inFlight(),
                new SearchInput.Loads(run.naturalShare() * serviceRequestsPerSecond, serviceRequestsPerSecond,
                        run.largestShare() * serviceRequestsPerSecond, window.outside() / seconds),
                run.secondsLeft(window.startMillis() + window.length().toMillis()),
                new SearchInput.Peers(window.eachPeerOf(run.criteria().sut()),
                        window.neighboursOf(run.criteria().sut())));
        state = state.searched(search.advise(state.search(), searchInput));
        return state.search().advice();
    }

    private SearchAdvice hold(double requestsPerSecond, SearchAdvice.Phase phase, String reason) {
        return new SearchAdvice(SearchAdvice.Action.HOLD, requestsPerSecond, phase, reason,
                state.search().advice().step(),
                state.search().advice().estimate());
    }

    private SearchAdvice lost() {
        return new SearchAdvice(SearchAdvice.Action.GIVE_UP, 0, SearchAdvice.Phase.ENDED,
                "the analyzer was restarted in the middle of the run and lost its place", 0, Optional.empty());
    }
}
