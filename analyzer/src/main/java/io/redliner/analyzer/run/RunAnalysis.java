// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.evidence.Setting;
import io.redliner.analyzer.judgement.Judged;
import io.redliner.analyzer.judgement.WindowJudge;
import io.redliner.analyzer.run.RunUnderTest.Stage;
import io.redliner.analyzer.search.Advice;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.JudgedWindow;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.window.Reception;
import io.redliner.analyzer.window.ServiceWindow;
import io.redliner.sla.Measured;
import io.redliner.sla.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is remembered of a run between two windows. For one thread. Its search lives in memory only: an
 * analysis that begins in the middle of a run says so and gives up, because it cannot know what was tried before.
 */
public final class RunAnalysis {

    private final CapacitySearch search;

    private final WindowJudge judge;

    private RunUnderTest run;

    private SearchState state;

    private boolean lost;

    private long sequence;

    private Optional<Measured> baseline = Optional.empty();

    private Evidence evidence = Evidence.NONE;

    private RunAnalysis(RunUnderTest run, CapacitySearch search, boolean lost, long sequence) {
        this.run = run;
        this.search = search;
        this.judge = new WindowJudge(run.criteria());
        this.state = search.begin();
        this.lost = lost;
        this.sequence = sequence;
    }

    /** Of a run whose beginning is seen. */
    public static RunAnalysis begin(RunUnderTest run, CapacitySearch search) {
        return new RunAnalysis(run, search, false, 0);
    }

    /**
     * Of a run that another process, or this one before a restart, has judged so far. Its verdicts' numbers continue
     * above all that can have been given.
     */
    public static RunAnalysis resume(RunUnderTest run, CapacitySearch search, long nowMillis) {
        long windows = Math.max(0, nowMillis - run.startedAtMillis()) / run.windowLength().toMillis();
        return new RunAnalysis(run, search, run.stage() != Stage.WAITING, windows + 1);
    }

    /** What the controller says last. */
    public RunUnderTest run() {
        return run;
    }

    /** The controller says something new of the same run. */
    public void update(RunUnderTest newer) {
        // Only an advice of this search could have moved the controller on.
        if (newer.stage() == Stage.FOLLOWING && state.advice().phase() == Advice.Phase.BASELINE) {
            lost = true;
        }
        run = newer;
    }

    /**
     * An observation of the service came in.
     *
     * @param lost observations that are missing before it, as its sequence shows
     */
    void received(Reception reception, long lost) {
        evidence = evidence.received(reception, lost);
    }

    /**
     * Judges the next window.
     *
     * @param serviceRequestsPerSecond of the whole service, smoothed over the last windows
     */
    public Analysis next(ServiceWindow window, double serviceRequestsPerSecond) {
        var judged = judge.judge(window, baseline);
        sequence++;
        var inForce = state.advice();
        var advice = advice(window, judged, serviceRequestsPerSecond);
        if (advice.phase() == Advice.Phase.BASELINE && advice.action() == Advice.Action.HOLD) {
            judged.measurements().of(Scope.SUT).ifPresent(this::remember);
        }
        if (run.searched()) {
            evidence = evidence.after(window, judged, inForce, new Setting(run.criteria().sut(), run.naturalShare(),
                    run.largestShare() * serviceRequestsPerSecond));
        }
        var conclusion = Conclusion.of(evidence, advice, run.criteria().sut());
        return new Analysis(run, sequence, window, judged, conclusion.upon(advice), serviceRequestsPerSecond,
                conclusion);
    }

    private void remember(Measured sut) {
        baseline = Optional.of(baseline.map(known -> Measured.inSequence(List.of(known, sut))).orElse(sut));
    }

    private Advice advice(ServiceWindow window, Judged judged, double serviceRequestsPerSecond) {
        double natural = run.naturalShare() * serviceRequestsPerSecond;
        return switch (run.stage()) {
            case WAITING -> hold(natural, Advice.Phase.BASELINE, "the run is being prepared");
            case RESTORING, FINISHED -> hold(natural, Advice.Phase.ENDED, "the share goes back to natural");
            case PAUSED, BASELINE, FOLLOWING -> lost ? lost() : searched(window, judged, serviceRequestsPerSecond);
        };
    }

    private Advice searched(ServiceWindow window, Judged judged, double serviceRequestsPerSecond) {
        if (run.stage() == Stage.PAUSED) {
            var last = state.advice();
            return state.ended() ? last : hold(last.requestsPerSecond(), last.phase(), "the run is paused");
        }
        var sut = window.instances().get(run.criteria().sut());
        double seconds = window.length().toNanos() / 1e9;
        var seen = new JudgedWindow(window.length(), judged.judgement(), judged.reason(), judged.deciding(),
                judged.measurements(), sut == null ? 0 : sut.measured().started() / seconds,
                sut == null ? 0 : sut.inFlight(), run.naturalShare() * serviceRequestsPerSecond,
                run.largestShare() * serviceRequestsPerSecond);
        state = search.advise(state, seen);
        return state.advice();
    }

    private Advice hold(double requestsPerSecond, Advice.Phase phase, String reason) {
        return new Advice(Advice.Action.HOLD, requestsPerSecond, phase, reason, state.advice().step(),
                state.advice().estimate());
    }

    private Advice lost() {
        return new Advice(Advice.Action.GIVE_UP, 0, Advice.Phase.ENDED,
                "the analyzer was restarted in the middle of the run and lost its place", 0, Optional.empty());
    }
}
