// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of one service with 1000 requests/s, driven event by event. The SUT's natural share is a quarter. */
final class RunScenario {

    static final Share NATURAL = new Share(250_000);

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private static final double RATE = 1000;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private RunState state;

    private List<RunCommand> commands = List.of();

    private long sequence;

    RunScenario() {
        this(StartConditions.NONE);
    }

    RunScenario(StartConditions clearance) {
        this(clearance, null, Redirect.SPLIT);
    }

    private RunScenario(StartConditions clearance, @Nullable Share elsewhere, Redirect redirect) {
        RunBounds bounds = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, WINDOW);
        state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7, NATURAL, bounds, RunTimeouts.DEFAULT,
                now, redirect, clearance, null, null, null, elsewhere));
    }

    /** With a lease that moves traffic in this way. */
    static RunScenario redirecting(Redirect redirect) {
        return new RunScenario(StartConditions.NONE, null, redirect);
    }

    /** Through a route of its owner's, which sends this part of its requests to clusters that are no part of the test. */
    static RunScenario throughOwnersRoute(Share elsewhere) {
        return new RunScenario(StartConditions.NONE, elsewhere, Redirect.SPLIT);
    }

    RunState state() {
        return state;
    }

    RunPhase phase() {
        return state.phase();
    }

    Instant now() {
        return now;
    }

    List<RunCommand> commands() {
        return commands;
    }

    RunProgress course() {
        return ((RunState.Leased) state).course();
    }

    Lease lease() {
        return course().lease().newest();
    }

    Share share() {
        return lease().share();
    }

    RunEnd ending() {
        return ((RunState.Restoring) state).ending();
    }

    void decide(RunEvent event) {
        RunDecision decision = RunDecider.decide(state, event, now);
        state = decision.state();
        commands = decision.commands();
    }

    void after(Duration duration) {
        now = now.plus(duration);
    }

    void status(ReportedLeaseState leaseState) {
        decide(new RunEvent.LeaseStatusArrived(new RedirectorReport("r1", "run", state.facts().epoch(),
                lease().sequence(), leaseState, "because",
                List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "2", "")))));
    }

    WindowVerdict verdict(Judgement judgement, SearchAdvice.Action action, double target) {
        return verdict(judgement,
                new SearchAdvice(action, target, SearchAdvice.Phase.RAMPING, "advice", (int) ++sequence),
                share());
    }

    /** A healthy window in which the SUT got another share than the one that was asked for. */
    WindowVerdict verdictOf(Share measured) {
        return verdict(Judgement.HOLDS, new SearchAdvice(SearchAdvice.Action.HOLD, 250, SearchAdvice.Phase.RAMPING,
                "advice", (int) ++sequence), measured);
    }

    /** A healthy window in which the SUT got this share of what the lease speaks of, and so many of all 1000 requests. */
    WindowVerdict verdictOf(Share measured, long sut) {
        WindowVerdict all = verdictOf(measured);
        return new WindowVerdict(all.runId(), all.epoch(), all.sequence(), all.windowStart(), all.windowLength(),
                all.judgement(), all.sla(), all.guards(), all.advice(),
                new TrafficSample(sut, sut, 0, 1, 0.01, 0.1, measured, 200L),
                new TrafficSample(RATE - sut, Math.round(RATE - sut), 0, 1, 0.01, 0.1, measured, 200L), 200, 0,
                all.estimate());
    }

    /** Goes on from a state that was stored. */
    void resumeFrom(RunState stored) {
        state = stored;
    }

    private WindowVerdict verdict(Judgement judgement, SearchAdvice advice, Share measured) {
        double load = RATE * measured.ratio();
        return new WindowVerdict("run", state.facts().epoch(), sequence, now.minus(WINDOW), WINDOW, judgement,
                List.of(),
                List.of(), advice, new TrafficSample(load, Math.round(load), 0, 1, 0.01, 0.1, measured),
                new TrafficSample(RATE - load, Math.round(RATE - load), 0, 1, 0.01, 0.1,
                        Share.ofRatio(1 - measured.ratio())),
                RATE, 0, new CapacityEstimate(400, 390, 410, "latency", 0.3, 0.2, 380.0, 420.0));
    }

    /**
     * A second later, a healthy window in which nobody's traffic was moved.
     *
     * @param service requests to the service's instances
     * @param sut of those, requests to the SUT
     * @param elsewhere further requests of the route, to two addresses
     */
    void natural(long service, long sut, long elsewhere) {
        after(WINDOW);
        status(ReportedLeaseState.APPLIED);
        SearchAdvice advice = new SearchAdvice(SearchAdvice.Action.HOLD, sut, SearchAdvice.Phase.BASELINE, "natural",
                (int) ++sequence);
        Share share = Share.ofRatio((double) sut / Math.max(1, service));
        decide(new RunEvent.VerdictArrived(new WindowVerdict("run", state.facts().epoch(), sequence, now.minus(WINDOW),
                WINDOW, Judgement.HOLDS, List.of(), List.of(), advice,
                new TrafficSample(sut, sut, 0, 1, 0.01, 0.1, share, service),
                new TrafficSample(service - sut, service - sut, 0, 1, 0.01, 0.1, Share.ofRatio(1 - share.ratio()),
                        service),
                service, 0, null, null,
                elsewhere == 0 ? null : new Elsewhere(elsewhere, List.of("10.0.0.8:80", "10.0.0.9:80")))));
        decide(new RunEvent.Tick());
    }

    static WindowVerdict ofEpoch(WindowVerdict verdict, long epoch) {
        return new WindowVerdict(verdict.runId(), epoch, verdict.sequence(), verdict.windowStart(),
                verdict.windowLength(), verdict.judgement(), verdict.sla(), verdict.guards(), verdict.advice(),
                verdict.sut(), verdict.peers(), verdict.serviceRequestsPerSecond(), verdict.harmRequests(),
                verdict.estimate());
    }

    void judged(Judgement judgement, SearchAdvice.Action action, double target) {
        decide(new RunEvent.VerdictArrived(verdict(judgement, action, target)));
    }

    /** A second later, a window in which so many requests broke the SLA at the SUT, so many of them beyond its peers. */
    void harmed(Judgement judgement, long broken, double beyondPeers, double target) {
        after(WINDOW);
        status(ReportedLeaseState.APPLIED);
        WindowVerdict all = verdict(judgement, SearchAdvice.Action.GO, target);
        decide(new RunEvent.VerdictArrived(new WindowVerdict(all.runId(), all.epoch(), all.sequence(),
                all.windowStart(), all.windowLength(), all.judgement(), all.sla(), all.guards(), all.advice(),
                all.sut(), all.peers(), all.serviceRequestsPerSecond(), beyondPeers, all.estimate(), null, null,
                broken, null)));
    }

    /** A window in which the SUT got another share than the one that was asked for. */
    void measured(Share share) {
        SearchAdvice advice = new SearchAdvice(SearchAdvice.Action.HOLD, 250, SearchAdvice.Phase.ENDED, "back",
                (int) ++sequence);
        decide(new RunEvent.VerdictArrived(verdict(Judgement.HOLDS, advice, share)));
    }

    void withoutPeers() {
        WindowVerdict all = verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 250);
        decide(new RunEvent.VerdictArrived(new WindowVerdict(all.runId(), all.epoch(), all.sequence(),
                all.windowStart(),
                all.windowLength(), all.judgement(), all.sla(), all.guards(), all.advice(), all.sut(),
                TrafficSample.NONE, all.serviceRequestsPerSecond(), 0, all.estimate())));
    }

    /** A second later, with everything in order. */
    void healthy(double target) {
        after(WINDOW);
        status(ReportedLeaseState.APPLIED);
        judged(Judgement.HOLDS, SearchAdvice.Action.GO, target);
    }

    void baseline() {
        decide(new RunEvent.Submitted(List.of("r1")));
        underWay(250);
    }

    /** From its preparation on. */
    void underWay(double target) {
        status(ReportedLeaseState.APPLIED);
        judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, target);
        assertThat(phase()).isEqualTo(RunPhase.BASELINE);
    }

    void ramping(double target) {
        baseline();
        healthy(target);
        assertThat(phase()).isEqualTo(RunPhase.RAMPING);
    }

    void skipVerdicts(int count) {
        sequence += count;
    }

    /** Redirectors answer, and no verdict comes. */
    void silentFor(int seconds) {
        for (int quarter = 0; quarter < 4 * seconds && state instanceof RunState.Searching; quarter++) {
            after(Duration.ofMillis(250));
            status(ReportedLeaseState.APPLIED);
            decide(new RunEvent.Tick());
        }
    }

    /** Verdicts come, and no redirector says anything. */
    void silentRedirectorsFor(int seconds) {
        for (int second = 0; second < seconds && state instanceof RunState.Searching; second++) {
            after(Duration.ofSeconds(1));
            judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, RATE * share().ratio());
            decide(new RunEvent.Tick());
        }
    }

    /** With the lease renewed up to then. */
    void jumpTo(Instant instant) {
        while (now.isBefore(instant) && state instanceof RunState.Searching) {
            healthy(RATE * share().ratio());
            decide(new RunEvent.Tick());
        }
        now = instant;
    }
}
