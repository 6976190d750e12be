// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.Advice.Action;
import io.redliner.analyzer.search.SteppingState.Baseline;
import io.redliner.analyzer.search.SteppingState.Bisecting;
import io.redliner.analyzer.search.SteppingState.Confirming;
import io.redliner.analyzer.search.SteppingState.Draining;
import io.redliner.analyzer.search.SteppingState.Ended;
import io.redliner.analyzer.search.SteppingState.Ramping;
import io.redliner.analyzer.search.SteppingState.Trying;
import io.redliner.sla.Judgement;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleOutcome;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Climbs in steps until the SLA breaks, sheds, bisects between the last load that held and the first that did not, and
 * confirms the answer before it gives it. All loads in the answer are loads that were measured.
 */
public final class SteppingSearch implements CapacitySearch {

    private static final double LONGEST_BASELINE = 3;

    private final SearchSettings settings;

    private final List<Rule> sla;

    private final double largestRaise;

    /**
     * For one run.
     *
     * @param sla rules that a healthy window satisfies; informational ones are ignored
     * @param largestRaise factor between the loads of two steps, above 1
     */
    public SteppingSearch(SearchSettings settings, List<Rule> sla, double largestRaise) {
        if (!(largestRaise > 1)) {
            throw new IllegalArgumentException("a raise is a factor above 1, not " + largestRaise);
        }
        this.largestRaise = largestRaise;
        this.settings = settings;
        this.sla = List.copyOf(sla);
    }

    @Override
    public SearchState begin() {
        return new Baseline(Findings.NOTHING, Trial.natural(),
                new Advice(Action.HOLD, 0, Advice.Phase.BASELINE, "waiting for the first window", 0,
                        Findings.NOTHING.estimate()));
    }

    @Override
    public SearchState advise(SearchState state, JudgedWindow window) {
        if (!(state instanceof SteppingState stepping)) {
            throw new IllegalArgumentException("not a state of this search: " + state);
        }
        if (stepping.ended()) {
            return stepping;
        }
        var findings = stepping.findings().counted(window);
        if (findings.inconclusive() >= settings.mostInconclusive()) {
            return Ended.giveUp(findings, findings.inconclusive() + " windows in a row say nothing: "
                    + window.reason());
        }
        if (!window.conclusive()) {
            return stepping.with(findings, hold(stepping, window, findings, "not counted: " + window.reason()));
        }
        return switch (stepping) {
            case Trying trying -> tried(trying, findings, window);
            case Draining draining -> drained(draining, findings, window);
            case Ended ended -> ended;
        };
    }

    private SteppingState tried(Trying state, Findings findings, JudgedWindow window) {
        var asked = state instanceof Baseline baseline
                ? baseline.trial().at(window.requestsPerSecond())
                : state.trial();
        var trial = asked.next(window, settings, state.riding());
        var next = state.with(findings, trial, hold(state, window, findings, "measuring"));
        if (trial.watch().raised().isPresent()) {
            return broke(next, trial.alarm());
        }
        if (trial.astray(settings)) {
            return Ended.giveUp(findings, String.format(Locale.ROOT, "asked for %.1f requests/s, but %.1f arrive",
                    trial.target(), window.requestsPerSecond()));
        }
        if (trial.halfway()) {
            return hopped(next, trial.hopped(largestRaise));
        }
        var wanted = switch (state) {
            case Baseline baseline -> settings.baseline();
            case Confirming confirming -> settings.confirmation();
            case Ramping ramping -> settings.dwell();
            case Bisecting bisecting -> settings.dwell();
        };
        int requests = state instanceof Confirming ? settings.fewestConfirming() : settings.fewestRequests();
        return trial.complete(wanted, requests) ? judged(next, window) : next;
    }

    private double longestBaseline() {
        return LONGEST_BASELINE * settings.baseline().toNanos() / 1e9 - 1e-6;
    }

    private static SteppingState hopped(Trying state, Trial trial) {
        var moved = state.findings().moved();
        return state.with(moved, trial, go(state.phase(), trial.target(), moved, String.format(Locale.ROOT,
                "on the way to %.1f requests/s, which is more than one raise away", trial.goal())));
    }

    private SteppingState judged(Trying state, JudgedWindow window) {
        var outcomes = state.trial().pool().judge(sla);
        double load = state.trial().pool().requestsPerSecond();
        var worst = Pool.worstBreach(outcomes);
        if (worst.isPresent() && state instanceof Baseline && state.trial().pool().seconds() < longestBaseline()) {
            // Natural load hurts nobody more than usual: bad luck is given time to even out.
            return state;
        }
        if (worst.isPresent()) {
            return broke(state, breach(worst.get(), load));
        }
        if (outcomes.stream().anyMatch(outcome -> outcome.judgement() == Judgement.INCONCLUSIVE)) {
            return state.with(state.findings(), state.trial().again(), state.advice());
        }
        return switch (state) {
            case Baseline baseline -> ramp(
                    baseline.findings().baseline(baseline.trial().pool().meanLatencySeconds(), load),
                    baseline.trial(), load, outcomes, window);
            case Ramping ramping when ramping.trial().capped(window) -> exhausted(ramping.findings().held(load));
            case Ramping ramping -> ramp(ramping.findings().held(load), ramping.trial(), ramping.trial().target(),
                    outcomes, window);
            case Bisecting bisecting -> narrow(bisecting.findings().held(load), window);
            case Confirming confirming -> confirmed(confirming, load, outcomes, window);
        };
    }

    private SteppingState ramp(Findings findings, Trial trial, double from, List<RuleOutcome> outcomes,
            JudgedWindow window) {
        boolean felt = Pool.exceedance(outcomes) > settings.feltExceedance()
                || Pool.utilisation(outcomes) > settings.feltUtilisation();
        double target = Math.min(from * (1 + (felt ? settings.carefulStep() : settings.step())),
                window.reachableRequestsPerSecond());
        if (target <= from * 1.005) {
            return exhausted(findings);
        }
        var moved = findings.moved();
        var next = trial.movedTo(target, largestRaise);
        return new Ramping(moved, next, go(Advice.Phase.RAMPING, next.target(), moved,
                String.format(Locale.ROOT, "%.1f requests/s held%s", from, felt ? ", but it is felt" : "")));
    }

    private SteppingState exhausted(Findings findings) {
        var estimate = findings.estimate().orElseThrow();
        return Ended.with(findings, Action.EXHAUSTED,
                String.format(Locale.ROOT, "%.1f requests/s held, and more cannot be had", estimate.capacity()),
                estimate);
    }

    private SteppingState broke(Trying state, Estimate.Breach breach) {
        if (state instanceof Baseline) {
            return Ended.giveUp(state.findings(),
                    "the SLA is broken at the natural load: " + breach.rule() + ", " + breach.words());
        }
        var findings = state.findings().broke(breach).moved();
        if (state instanceof Confirming) {
            if (findings.confirmed().isPresent()) {
                return done(findings);
            }
            findings = findings.confirmationFailed();
            if (findings.failedConfirmations() >= settings.mostConfirmations()) {
                return Ended.giveUp(findings, "no load holds for as long as a confirmation takes");
            }
        }
        double target = Math.min(settings.shedFactor() * breach.requestsPerSecond(),
                findings.lastGood().orElse(Double.POSITIVE_INFINITY));
        String reason = String.format(Locale.ROOT, "%s is broken at %.1f requests/s: %s", breach.rule(),
                breach.requestsPerSecond(), breach.words());
        return new Draining(findings, target, 0, Long.MAX_VALUE, shed(target, findings, reason));
    }

    private SteppingState drained(Draining state, Findings findings, JudgedWindow window) {
        double elapsed = state.elapsedSeconds() + window.seconds();
        boolean shedArrived = elapsed >= settings.settling().toNanos() / 1e9 - 1e-6;
        double normal = 5 + 2 * window.requestsPerSecond() * findings.baselineLatencySeconds();
        if (shedArrived && window.judgement() == Judgement.HOLDS && window.inFlight() <= normal) {
            return findings.failedConfirmations() > 0 ? confirmLower(findings, window) : narrow(findings, window);
        }
        if (elapsed > settings.longestDrain().toNanos() / 1e9) {
            return Ended.giveUp(findings, "the SUT does not recover after the load was shed");
        }
        boolean stuck = shedArrived && window.inFlight() > normal && window.inFlight() >= state.inFlight();
        double target = stuck ? state.target() * settings.shedFactor() : state.target();
        var advice = stuck
                ? shed(target, findings, "requests in flight do not fall")
                : hold(state, window, findings, "draining");
        return new Draining(findings, target, elapsed, window.inFlight(), advice);
    }

    private SteppingState narrow(Findings findings, JudgedWindow window) {
        double good = findings.lastGood().orElseThrow();
        double bad = findings.bad().orElseThrow().requestsPerSecond();
        if (bad / good <= settings.bracket()) {
            return confirm(findings, good, window);
        }
        double target = Math.min(Math.sqrt(good * bad), window.reachableRequestsPerSecond());
        if (target <= good * 1.005) {
            return confirm(findings, good, window);
        }
        var moved = findings.moved();
        var trial = Trial.of(target, window.requestsPerSecond(), largestRaise);
        return new Bisecting(moved, trial, go(Advice.Phase.RAMPING, trial.target(), moved, String
                .format(Locale.ROOT, "%.1f requests/s held and %.1f did not: trying between them", good, bad)));
    }

    private SteppingState confirmLower(Findings findings, JudgedWindow window) {
        double step = Math.min(settings.confirmationStep() * findings.failedConfirmations(), settings.step());
        return confirm(findings, findings.bad().orElseThrow().requestsPerSecond() * (1 - step), window);
    }

    private SteppingState confirm(Findings findings, double load, JudgedWindow window) {
        double target = Math.min(load, window.reachableRequestsPerSecond());
        var moved = findings.moved();
        var trial = Trial.of(target, window.requestsPerSecond(), largestRaise);
        return new Confirming(moved, trial, go(Advice.Phase.CONFIRMING, trial.target(), moved,
                String.format(Locale.ROOT, "confirming %.1f requests/s", target)));
    }

    /**
     * A load may have been called bad by bad luck: slow requests come in clumps. So when the answer holds with much of
     * its allowance left, and nothing near was refuted for as long, a little more is tried before it is given.
     */
    private SteppingState confirmed(Confirming state, double load, List<RuleOutcome> outcomes, JudgedWindow window) {
        var findings = state.findings().confirmed(load, Interval.noise(outcomes));
        double more = load * (1 + settings.carefulStep());
        boolean slack = Pool.exceedance(outcomes) < settings.slackExceedance()
                && Pool.utilisation(outcomes) * (1 + settings.carefulStep()) < 1;
        double refuted = findings.failedConfirmations() == 0
                ? Double.POSITIVE_INFINITY
                : findings.bad().orElseThrow().requestsPerSecond();
        return slack && more <= 0.985 * refuted && more <= window.reachableRequestsPerSecond()
                ? confirm(findings, more, window)
                : done(findings);
    }

    private static SteppingState done(Findings findings) {
        var estimate = Interval.around(findings.confirmed().orElseThrow(), findings);
        return Ended.with(findings, Action.DONE, String.format(Locale.ROOT,
                "%.1f requests/s are confirmed, between %.1f and %.1f", estimate.capacity(), estimate.low(),
                estimate.high()), estimate);
    }

    private Estimate.Breach breach(RuleOutcome outcome, double load) {
        var deciding = outcome.deciding();
        return new Estimate.Breach(load, outcome.rule().name(), deciding.value(),
                deciding.value().isPresent() ? deciding.threshold() : OptionalDouble.empty(),
                "broken over all windows at this load");
    }

    private static Advice go(Advice.Phase phase, double target, Findings findings, String reason) {
        return new Advice(Action.GO, target, phase, reason, findings.step(), findings.estimate());
    }

    private static Advice shed(double target, Findings findings, String reason) {
        return new Advice(Action.SHED, target, Advice.Phase.RAMPING, reason, findings.step(), findings.estimate());
    }

    private static Advice hold(SteppingState state, JudgedWindow window, Findings findings, String reason) {
        double target = switch (state) {
            case Baseline baseline -> window.naturalRequestsPerSecond();
            case Trying trying -> Math.min(trying.trial().target(), window.reachableRequestsPerSecond());
            case Draining draining -> draining.target();
            case Ended ended -> 0;
        };
        return new Advice(Action.HOLD, target, state.phase(), reason, findings.step(), findings.estimate());
    }
}
