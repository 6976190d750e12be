// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A run with a step plan on a service of 1000 requests/s, of which the SUT naturally gets a quarter; all goes well. */
final class PlannedRun {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    Share highest = Share.NONE;

    private Instant now = Simulation.START;

    private long sequence;

    /** Part of the requests beyond the latency limit. */
    private double late;

    private RunState state;

    PlannedRun(StepPlan plan) {
        RunBounds bounds = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, WINDOW);
        state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000), bounds,
                RunTimeouts.DEFAULT, Simulation.START, Redirect.SPLIT, StartConditions.NONE, null, plan));
    }

    void begin() {
        decide(new RunEvent.Submitted(List.of("r1")));
    }

    /** So many healthy windows, with everything in order. */
    void healthy(int windows, SearchAdvice.Action advice) {
        judged(windows, Judgement.HOLDS, advice);
    }

    /** So many windows in which every second request is late. */
    void broken(int windows) {
        late = 0.5;
        judged(windows, Judgement.BREACHED, SearchAdvice.Action.HOLD);
        late = 0;
    }

    /** So many windows, with everything else in order. */
    void judged(int windows, Judgement judgement, SearchAdvice.Action advice) {
        for (int window = 0; window < windows && !(state instanceof RunState.Restoring); window++) {
            now = now.plus(WINDOW);
            Lease lease = ((RunState.Leased) state).course().lease().newest();
            decide(new RunEvent.LeaseStatusArrived(new RedirectorReport("r1", "run", 7, lease.sequence(),
                    ReportedLeaseState.APPLIED, "",
                    List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "1", "")))));
            decide(new RunEvent.VerdictArrived(verdict(lease.share(), judgement, advice)));
            decide(new RunEvent.Tick());
            highest = state instanceof RunState.Searching searching && searching.course().share().above(highest)
                    ? searching.course().share()
                    : highest;
        }
    }

    /** A window in which nobody knows how many requests the service gets. */
    void withoutRate() {
        now = now.plus(WINDOW);
        decide(new RunEvent.VerdictArrived(withoutRate(verdict(share(), Judgement.HOLDS, SearchAdvice.Action.HOLD))));
    }

    static WindowVerdict withoutRate(WindowVerdict all) {
        return new WindowVerdict(all.runId(), all.epoch(), all.sequence(), all.windowStart(), all.windowLength(),
                all.judgement(), all.sla(), all.guards(), all.advice(), all.sut(), all.peers(), 0, all.harmRequests(),
                all.estimate());
    }

    Share share() {
        return state.askedShare();
    }

    RunPhase phase() {
        return state.phase();
    }

    RunEnd ending() {
        return ((RunState.Restoring) state).ending();
    }

    private void decide(RunEvent event) {
        state = RunDecider.decide(state, event, now).state();
    }

    private WindowVerdict verdict(Share share, Judgement judgement, SearchAdvice.Action advice) {
        double load = 1000 * share.ratio();
        return new WindowVerdict("run", 7, ++sequence, now.minus(WINDOW), WINDOW, judgement,
                List.of(new RuleResult("latency", "x", Judgement.HOLDS, 0.1, 0.2, 0.5, "seconds", false, "",
                        new RuleCounts(Math.round(load), Math.round(late * load), 0.01))),
                List.of(), new SearchAdvice(advice, 10, SearchAdvice.Phase.ENDED, "the search", 1),
                new TrafficSample(load, Math.round(load), 0, 1, 0.01, 0.1, share),
                new TrafficSample(1000 - load, 1000 - Math.round(load), 0, 1, 0.01, 0.1,
                        Share.ofRatio(1 - share.ratio())),
                1000, 0, null);
    }
}
