// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * One run in virtual time. The network loses, delays, doubles and reorders messages. The analyzer and the redirectors may fall
 * silent, proxies may move from one redirector to another, the fleet may change, and the controller may crash. After every
 * event, {@link Promises} are checked.
 */
public final class Simulation {

    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final double RATE = 1000;

    /** One decision, as the journal would keep it. */
    public record Entry(RunState before, RunEvent event, Instant at, RunDecision decision) {}

    private record Delivery(Instant at, long order, RunEvent event) {}

    private final Random random;

    private final Duration window;

    private final RunFacts facts;

    private final double loss;

    private final double doubling;

    private final int slowestMillis;

    private final double capacity;

    /** The proxies acknowledge and do nothing. */
    private final boolean deaf;

    /** Nothing is lost and nobody dies, but a breach harms everybody. */
    private final boolean harmful;

    private final PriorityQueue<Delivery> network = new PriorityQueue<>(
            Comparator.comparing(Delivery::at).thenComparingLong(Delivery::order));

    private final List<Entry> journal = new ArrayList<>();

    private final Promises promises;

    /** The second one has no proxies in the beginning, and may never have any. */
    private final List<SimulatedRedirector> redirectors;

    private final SimulatedProxies proxies;

    private final Instant fleetChangesAt;

    private Instant now = START;

    private long order;

    private RunState state;

    private long verdicts;

    private long verdictEpoch;

    private double target;

    private int step = 1;

    private int confirmed;

    private Instant analyzerDiesAt;

    /** Of each redirector. */
    private final List<Instant> redirectorDiesAt;

    private Instant crashAt;

    private boolean crashedOnce;

    private Instant crashUntil;

    private Instant abortAt;

    private Instant pauseAt;

    private Instant resumeAt;

    private Instant haltAt;

    /** The controller's clock is ahead of the world's by this from then on. */
    private final Instant clockJumpsAt;

    private final Duration clockJump;

    private boolean jumped;

    private Instant kafkaDiesAt;

    public Simulation(long seed) {
        this(seed, false);
    }

    /** @param harmful nothing is lost and nobody dies, but a breach harms all requests at the SUT, and little may be */
    Simulation(long seed, boolean harmful) {
        this(seed, harmful, false);
    }

    /** Of a run with a step plan of its own. */
    public static Simulation planned(long seed) {
        return new Simulation(seed, false, true);
    }

    private Simulation(long seed, boolean harmful, boolean planned) {
        this.random = new Random(seed);
        this.harmful = harmful;
        this.window = random.nextBoolean() ? Duration.ofSeconds(1) : Duration.ofMillis(200);
        Share natural = new Share(50_000 + random.nextInt(200_000));
        Share highest = new Share(natural.ppm() + random.nextInt(500_000));
        RunBounds bounds = new RunBounds(highest, 1.2 + random.nextDouble() * 2,
                Duration.ofSeconds((planned ? 50 : 30) + random.nextInt(120)),
                0.001 + random.nextDouble() * (harmful ? 0.03 : planned ? 0.5 : 0.05), window);
        this.facts = new RunFacts("run", "service", "10.0.0.1:80", 7, natural, bounds, RunTimeouts.DEFAULT, START,
                Redirect.SPLIT, StartConditions.NONE, null, planned ? SimulatedPlan.of(random, natural, RATE) : null);
        this.loss = !harmful && random.nextInt(4) == 0 ? random.nextDouble() * 0.2 : 0;
        this.doubling = !harmful && random.nextInt(4) == 0 ? random.nextDouble() * 0.2 : 0;
        this.slowestMillis = !harmful && random.nextInt(5) == 0 ? 6000 : 150;
        this.capacity = RATE * natural.ratio() * (1 + random.nextDouble() * 3);
        this.deaf = !harmful && random.nextInt(20) == 0;
        this.target = RATE * natural.ratio();
        this.analyzerDiesAt = rarely(6);
        Instant firstDiesAt = rarely(8);
        this.crashAt = rarely(6);
        this.crashUntil = crashAt.plusMillis(random.nextInt(9000));
        this.abortAt = rarely(6);
        this.pauseAt = rarely(5);
        this.resumeAt = pauseAt.plusMillis(random.nextInt(20_000));
        this.haltAt = rarely(12);
        this.clockJumpsAt = rarely(15);
        this.clockJump = Duration.ofMillis(random.nextInt(40_000) - 20_000);
        this.kafkaDiesAt = rarely(8);
        long lastAcknowledged = !harmful && random.nextInt(20) == 0 ? 1 + random.nextInt(40) : Long.MAX_VALUE;
        this.redirectors = List.of(new SimulatedRedirector("redirector", facts, lastAcknowledged),
                new SimulatedRedirector("other", facts, lastAcknowledged));
        this.redirectorDiesAt = List.of(firstDiesAt, rarely(4));
        this.proxies = new SimulatedProxies(redirectors, random, !harmful && random.nextInt(4) == 0);
        this.fleetChangesAt = rarely(30);
        this.state = new RunState.Pending(facts);
        this.promises = new Promises(facts);
    }

    private Instant rarely(int oneIn) {
        return START.plusMillis(
                !harmful && random.nextInt(oneIn) == 0
                        ? Math.max(0, random.nextInt(60_000) - 5000)
                        : Integer.MAX_VALUE);
    }

    /** Runs to the end. */
    public List<Entry> run() {
        step(new RunEvent.Submitted(List.of("redirector", "other")));
        Instant nextTick = now;
        Instant nextStatus = now;
        Instant nextWindow = now;
        Instant longest = START.plus(facts.bounds().maxDuration()).plusSeconds(40);
        while (!(state instanceof RunState.Finished)) {
            if (now.isAfter(longest)) {
                throw new AssertionError("did not end: " + state);
            }
            now = now.plusMillis(50);
            if (!now.isBefore(nextWindow)) {
                nextWindow = now.plus(window);
                judge();
            }
            if (!now.isBefore(nextStatus)) {
                nextStatus = now.plusSeconds(1);
                report();
            }
            if (proxies.pass(now)) {
                report();
            }
            promises.trafficAt(now, share(), state);
            if (crashed()) {
                continue;
            }
            if (!jumped && !now.isBefore(clockJumpsAt)) {
                jumped = true;
                step(new RunEvent.ClockJumped(clockJump));
            }
            deliver();
            if (!now.isBefore(nextTick)) {
                nextTick = now.plusMillis(250);
                step(new RunEvent.Tick());
            }
        }
        promises.ended((RunState.Finished) state, share(), now, crashedOnce || jumped);
        return journal;
    }

    private boolean crashed() {
        if (now.isBefore(crashAt)) {
            return false;
        }
        if (now.isBefore(crashUntil)) {
            network.clear();
            promises.crashedSince(crashAt, now, share());
            return true;
        }
        boolean again = random.nextInt(3) == 0;
        crashAt = again ? now.plusMillis(random.nextInt(20_000)) : Instant.MAX;
        crashUntil = again ? crashAt.plusMillis(random.nextInt(9000)) : Instant.MAX;
        crashedOnce = true;
        step(new RunEvent.TakenOver(state.facts().epoch() + 1 + random.nextInt(3), List.of("redirector", "other"),
                null));
        return false;
    }

    private void deliver() {
        if (!now.isBefore(abortAt)) {
            abortAt = Instant.MAX;
            step(new RunEvent.AbortRequested("somebody"));
        }
        if (!now.isBefore(haltAt)) {
            haltAt = Instant.MAX;
            step(new RunEvent.Halted(random.nextBoolean() ? StopCode.KILL_SWITCH : StopCode.FREEZE, "not now"));
        }
        if (!now.isBefore(pauseAt)) {
            pauseAt = Instant.MAX;
            step(new RunEvent.PauseRequested("wait"));
        }
        if (!now.isBefore(resumeAt)) {
            resumeAt = Instant.MAX;
            step(new RunEvent.ResumeRequested("go"));
        }
        while (!network.isEmpty() && !network.peek().at().isAfter(now)) {
            step(network.remove().event());
        }
    }

    private void step(RunEvent event) {
        if (state instanceof RunState.Finished) {
            promises.isOver(state, event, controllersClock());
            return;
        }
        Instant clock = controllersClock();
        RunDecision decision = RunDecider.decide(state, event, clock);
        promises.decided(state, event, decision, clock);
        journal.add(new Entry(state, event, clock, decision));
        state = decision.state();
        for (RunCommand command : decision.commands()) {
            if (command instanceof RunCommand.SendLease send) {
                deliverLease(send.lease());
            }
        }
    }

    private Instant controllersClock() {
        return now.isBefore(clockJumpsAt) ? now : now.plus(clockJump);
    }

    private void deliverLease(Lease lease) {
        if (!now.isBefore(kafkaDiesAt)) {
            post(new RunEvent.NotDelivered("lease", "no broker"), 2500);
        } else {
            for (int number = 0; number < redirectors.size(); number++) {
                if (!now.isAfter(redirectorDiesAt.get(number))) {
                    redirectors.get(number).receive(lease, now);
                }
            }
            report();
        }
    }

    private void report() {
        List<FleetChange> changes = now.isBefore(fleetChangesAt)
                ? List.of()
                : List.of(new FleetChange(FleetChange.Kind.ADDED, "10.0.0.9:80", fleetChangesAt, ""));
        for (int number = 0; number < redirectors.size(); number++) {
            if (now.isBefore(redirectorDiesAt.get(number)) && now.isBefore(kafkaDiesAt)) {
                send(new RunEvent.LeaseStatusArrived(
                        redirectors.get(number).report(random, proxies.at(number), changes)));
            }
        }
    }

    private Share share() {
        return proxies.share(facts.naturalShare(), now);
    }

    private void judge() {
        if (now.isAfter(analyzerDiesAt) || now.isAfter(kafkaDiesAt) || state instanceof RunState.Pending) {
            return;
        }
        // NumberText go on when another controller takes the run over.
        verdictEpoch = state.facts().epoch();
        send(new RunEvent.VerdictArrived(verdict()));
    }

    /** It may only matter where the search ends. */
    private static final SearchConclusion CONCLUSION = new SearchConclusion(
            List.of(new SearchConclusion.Finding("CPU", 0.9, "the CPU was used to 94 %",
                    List.of(new SearchConclusion.Figure("cpu", 0.94, "ratio")))),
            List.of(new SearchConclusion.ValidityCheck("proxy", SearchConclusion.Validity.UNKNOWN, null, null, "",
                    "not measured")));

    private WindowVerdict verdict() {
        double share = deaf ? facts.naturalShare().ratio() : share().ratio();
        double load = RATE * share;
        boolean breached = load > capacity;
        Judgement judgement = random.nextInt(40) == 0
                ? Judgement.INCONCLUSIVE
                : breached ? Judgement.BREACHED : Judgement.HOLDS;
        Judgement guard = random.nextInt(400) == 0 ? Judgement.BREACHED : Judgement.HOLDS;
        double seconds = window.toMillis() / 1000.0;
        long requests = Math.round(load * seconds);
        long others = Math.round(RATE * seconds) - requests;
        return new WindowVerdict("run", verdictEpoch, ++verdicts, now.minus(window).minusMillis(random.nextInt(200)),
                window, judgement, List.of(rule("latency", judgement),
                        failure(load > 1.3 * capacity)),
                List.of(rule("guard", guard)),
                advice(load, breached),
                new TrafficSample(load, requests, 0, 1, 0.01, 0.1, Share.ofRatio(share), null,
                        List.of(new GaugeSample("cpu", load / RATE, "ratio"))),
                new TrafficSample(RATE - load, others, 0, 1, 0.01, 0.1, Share.ofRatio(1 - share)),
                RATE * (0.9 + random.nextDouble() * 0.2),
                breached ? (harmful ? 1 : random.nextDouble()) * load * seconds : 0,
                new CapacityEstimate(capacity, capacity * 0.9, capacity * 1.1, "latency", 0.2, 0.1, capacity, capacity),
                CONCLUSION, null);
    }

    private static RuleResult rule(String name, Judgement judgement) {
        return new RuleResult(name, "x <= 1", judgement, 0.5, 1.0, 0.5, "ratio", false, "");
    }

    private static RuleResult failure(boolean failed) {
        return new RuleResult("failure", "x > 1", failed ? Judgement.HOLDS : Judgement.BREACHED, 0.5, 1.0, 0.5,
                "ratio", true, "");
    }

    /** Climbs by leaps and bounds, now and then asks for far too much, and confirms after a breach. */
    private SearchAdvice advice(double load, boolean breached) {
        SearchAdvice.Phase phase = confirmed > 0
                ? SearchAdvice.Phase.CONFIRMING
                : verdicts < 8
                        ? SearchAdvice.Phase.BASELINE
                        : SearchAdvice.Phase.RAMPING;
        if (state.phase() != RunPhase.PREPARING && verdicts >= 8) {
            if (breached) {
                target = load * 0.7;
                step++;
                confirmed = 1;
                return new SearchAdvice(SearchAdvice.Action.SHED, target, phase, "shed", step);
            }
            if (confirmed > 0 && confirmed++ > 8) {
                SearchAdvice.Action end = List
                        .of(SearchAdvice.Action.DONE, SearchAdvice.Action.EXHAUSTED, SearchAdvice.Action.GIVE_UP)
                        .get(random.nextInt(3));
                return new SearchAdvice(end, 0, SearchAdvice.Phase.ENDED, "the end", step);
            }
            if (confirmed == 0 && random.nextInt(3) == 0) {
                target = random.nextInt(20) == 0 ? RATE * 5 : load * (1 + random.nextDouble());
                step++;
                return new SearchAdvice(SearchAdvice.Action.GO, target, phase, "go", step);
            }
        }
        return new SearchAdvice(SearchAdvice.Action.HOLD, target, phase, "hold", step);
    }

    private void send(RunEvent event) {
        if (random.nextDouble() < loss) {
            return;
        }
        int slowest = event instanceof RunEvent.VerdictArrived ? slowestMillis : Math.min(slowestMillis, 800);
        post(event, random.nextInt(slowest));
        if (random.nextDouble() < doubling) {
            post(event, random.nextInt(slowest));
        }
    }

    private void post(RunEvent event, int delayMillis) {
        network.add(new Delivery(now.plusMillis(delayMillis), order++, event));
    }
}
