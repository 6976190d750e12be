// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.analyzer.kafka.AnalyzerMetrics;
import io.redliner.contract.Topic;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.sender.StatusSenders.Standing;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.service.kafka.LeaseStatusDecoder;
import io.redliner.controller.service.kafka.VerdictDecoder;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import io.redliner.simulation.Network.Place;
import io.redliner.simulation.SimulatedController.Entry;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run in virtual time with the real hearts of controller, analyzer and redirector, what they say to each other in the
 * contract's bytes, and a network, proxies, users and an instance under test that are simulated. After every event
 * {@link Promises} are checked.
 */
final class LoopSimulation {

    static final String SERVICE = "shop";

    private static final String RUN = "run";

    private static final long WINDOW = 1000;

    /** Redirectors, proxies and analyzer have found each other before anybody wants a run. */
    private static final long SUBMISSION = 3000;

    /** A run may end so much later than it should when its controllers die again and again. */
    private static final long MAX_ENDING = 45_000;

    /** A process that does not know that the run is over can do harm for so long. */
    private static final long AFTERWARDS = 8000;

    /** The journals of so many seeds are stored in between, which takes long. */
    private static final int STORED = 50;

    /** One in so many runs that are forged into is followed by another one. */
    private static final int WITH_NEXT = 3;

    /** How it ended. */
    record End(Scenario scenario, RunState.Finished finished, double harmed, int highest, int events) {

        /** Requests/s at which one in a hundred is late; limits are whole ms, so it is not quite what was wanted. */
        double constructedCapacity() {
            return Sut.capacity(Users.limitMillis(scenario) / 1e3);
        }

        @Nullable
        Double allowedHarm() {
            return finished.harm().allowed();
        }
    }

    private final Scenario scenario;

    final VirtualTime time = new VirtualTime();

    final SplittableRandom random;

    final Network network;

    final Users users;

    final Promises promises;

    final SimulatedAnalyzer analyzer;

    final List<SimulatedRedirector> redirectors = new ArrayList<>();

    final List<SimulatedProxy> proxies = new ArrayList<>();

    final List<SimulatedController> controllers = new ArrayList<>();

    private final List<Entry> journal = new ArrayList<>();

    private final Forgeries forgeries;

    final LeaseTopic topic;

    final Forger forger;

    final SimulatedKillSwitch killSwitch;

    private final ForgedPromises forgedPromises;

    private static final RuleCompiler RULES = new RuleCompiler();

    private final RunRules rules;

    private final RunFacts facts;

    private static final RunJsonMapper JSON = new RunJsonMapper();

    boolean collecting = true;

    LoopSimulation(Scenario scenario, AnalyzerMetrics metrics) {
        this(scenario, Forgeries.NONE, metrics);
    }

    /** @param forgeries on top of what goes wrong by itself */
    LoopSimulation(Scenario scenario, Forgeries forgeries, AnalyzerMetrics metrics) {
        this.scenario = scenario;
        this.forgeries = forgeries;
        // Of its own, so that a world without forgeries stays the same.
        SplittableRandom forged = new SplittableRandom(~scenario.seed());
        this.topic = new LeaseTopic(this, forged.split());
        this.forger = new Forger(this, forged.split());
        this.killSwitch = new SimulatedKillSwitch(this);
        this.forgedPromises = new ForgedPromises(this);
        this.random = new SplittableRandom(scenario.seed() ^ 0x9e3779b97f4a7c15L);
        this.network = new Network(time, scenario.quality(), random.split());
        this.users = new Users(scenario, SERVICE, random.split());
        this.rules = new RunRules(List.of(
                RULES.compile("latency", "latency.p99 <= duration('" + Users.limitMillis(scenario) + "ms')", false),
                RULES.compile("errors", "error_rate <= 0.01", false)),
                List.of(RULES.compile("fleet", "service.error_rate <= 0.1", false)), null);
        RunBounds bounds = new RunBounds(new Share(scenario.maxShare()), scenario.maxRaise(),
                Duration.ofMillis(scenario.maxDuration()), scenario.harmBudget(), Duration.ofMillis(WINDOW));
        this.facts = new RunFacts(RUN, SERVICE, Users.SUT, 7, new Share(scenario.naturalPpm()), bounds,
                RunTimeouts.DEFAULT, VirtualTime.START.plusMillis(SUBMISSION));
        this.promises = new Promises(time, facts);
        this.analyzer = new SimulatedAnalyzer(time, metrics, this::verdict);
        for (int number = 0; number < scenario.redirectors(); number++) {
            SimulatedRedirector redirector = redirector(number);
            redirectors.add(redirector);
            redirector.start(topic.log());
        }
        for (int number = 0; number < scenario.proxies(); number++) {
            SimulatedProxy proxy = new SimulatedProxy(time, "proxy-" + number, scenario.naturalPpm());
            proxies.add(proxy);
            redirectors.get(number % redirectors.size()).connect(proxy);
        }
        time.every(WINDOW, this::window);
        time.at(SUBMISSION, this::submit);
        new Fates(this, scenario).plan(SUBMISSION);
        if (!forgeries.none()) {
            forger.plan(forgeries, SUBMISSION);
            killSwitch.plan(forgeries, SUBMISSION);
        }
    }

    private SimulatedRedirector redirector(int number) {
        return new SimulatedRedirector(time, "redirector-" + number, service(0), promises,
                status -> status(number, status), random.split());
    }

    Service service(int more) {
        Stream<Instance> fleet = Stream.concat(Stream.of(new Instance(HostPort.parse(Users.SUT), Scenario.SUT_WEIGHT)),
                Users.PEERS.stream().map(peer -> new Instance(HostPort.parse(peer), scenario.peerWeight())));
        Stream<Instance> grown = Stream.of(9101, 9102).limit(more)
                .map(port -> new Instance(new HostPort("127.0.0.1", port), Scenario.SUT_WEIGHT));
        return new Service(SERVICE, Service.DEFAULT_PROXIES,
                new EnvoyIntegration.Everything(new HostPort("127.0.0.1", 10_000)),
                Upstream.plain(Optional.of(Duration.ofSeconds(15))),
                Stream.concat(fleet, grown).toList());
    }

    private List<String> alive() {
        return redirectors.stream().filter(SimulatedRedirector::alive).map(redirector -> redirector.name).toList();
    }

    static Place place(int redirector) {
        return redirector == 0 ? Place.REDIRECTOR_1 : Place.REDIRECTOR_2;
    }

    private void submit() {
        drive(new RunState.Pending(facts), new RunEvent.Submitted(alive()));
    }

    private void drive(RunState state, RunEvent first) {
        SimulatedController controller = new SimulatedController(time, promises, new SimulatedPublisher(this, rules),
                journal, rules, state);
        controllers.add(controller);
        controller.step(first);
    }

    /** Another run, after the first one. */
    void begin(RunFacts next) {
        promises.begin(next);
        journal.clear();
        drive(new RunState.Pending(next), new RunEvent.Submitted(alive()));
    }

    /** The one whose decisions are kept. */
    SimulatedController driving() {
        return controllers.getLast();
    }

    /** Another controller finds the run in the database. */
    void takeOver() {
        RunState stored = JSON.state(JSON.write(driving().state()));
        if (!(stored instanceof RunState.Finished)) {
            driving().beReplaced();
            drive(stored, new RunEvent.TakenOver(stored.facts().epoch() + 1 + random.nextInt(3),
                    alive(), null));
        }
    }

    /** Another process with the name of one that is gone. */
    SimulatedRedirector restart(int number) {
        SimulatedRedirector next = redirector(number);
        redirectors.set(number, next);
        next.start(forgeries.none() ? topic.log() : topic.compacted());
        return next;
    }

    /** Lets the next event happen, and checks the promises. */
    void step() {
        time.step();
        int share = (int) Math.round(proxies.stream().mapToInt(SimulatedProxy::share).average().orElseThrow());
        if (share != users.share()) {
            users.flow(time.now(), share);
        }
        promises.traffic(proxies);
        if (!forgeries.none()) {
            forgedPromises.check();
        } else if (scenario.quiet()) {
            promises.steps(proxies);
        }
    }

    /** Until when a forged record may have an effect, ms. */
    private long forgedUntil() {
        return forger.lastAt() < 0 ? 0 : forger.lastAt() + Promises.MAX_FORGED_MS;
    }

    End run() {
        int events = 0;
        long finishedAt = Long.MAX_VALUE;
        while (finishedAt == Long.MAX_VALUE || time.next() <= Math.max(finishedAt, forgedUntil()) + AFTERWARDS) {
            step();
            events++;
            if (time.now() > SUBMISSION + scenario.maxDuration() + MAX_ENDING && finishedAt == Long.MAX_VALUE) {
                throw new AssertionError("did not end: " + driving().state());
            }
            if (finishedAt == Long.MAX_VALUE && !controllers.isEmpty()
                    && driving().state() instanceof RunState.Finished finished) {
                finishedAt = time.now();
                promises.ended(finished, proxies, forger);
            }
        }
        promises.natural(proxies, "after the end");
        RunState.Finished finished = (RunState.Finished) driving().state();
        if (!forger.touched(Forgery.Topic.OBSERVATIONS)) {
            ForgedPromises.answered(finished.ending(), Math.max(users.highestLoad(), forger.highestLoad()),
                    Set.of("latency", "errors", "fleet"));
        }
        Promises.replayed(journal, scenario.seed() % STORED == 0 ? Optional.of(JSON) : Optional.empty());
        End end = new End(scenario, finished, users.harmed(), promises.highest(), events);
        NextRun next = new NextRun(this, scenario);
        if (!forgeries.none() && scenario.seed() % WITH_NEXT == 0 && next.possible()) {
            next.begin(finished.facts(), SUBMISSION);
        }
        return end;
    }

    /** The collector takes its time, and then sends all in one order. */
    private void window() {
        List<byte[]> observations = new ArrayList<>();
        users.observe(time.now(), WINDOW, observations::add);
        if (collecting) {
            time.after(5 + random.nextInt(30), () -> observations.forEach(this::observed));
        }
    }

    private void observed(byte[] observation) {
        network.send(Place.COLLECTOR, Place.ANALYZER, () -> {
            measured(observation);
            analyzer.received(Topic.OBSERVATIONS, SERVICE, observation);
        });
    }

    private void measured(byte[] observation) {
        Observation read = Forger.parsed(() -> Observation.parseFrom(observation));
        forger.read(read);
        measured(read);
    }

    void measured(Observation observation) {
        if (observation.getInstance().equals(Users.SUT)) {
            promises.measured(Instant.ofEpochMilli(observation.getWindowStartMs()));
        }
    }

    private void verdict(byte[] verdict) {
        Verdict read = Forger.parsed(() -> Verdict.parseFrom(verdict));
        forger.read(read);
        network.send(Place.ANALYZER, Place.CONTROLLER, () -> tell(read));
    }

    void tell(Verdict verdict) {
        read(() -> VerdictDecoder.read(verdict)).ifPresent(read -> {
            killSwitch.catalog().judged(verdict.getService(), read.epoch());
            killSwitch.catalog().seen(verdict.getService(), verdict.getRedirectorsList());
            if (verdict.getService().equals(SERVICE)) {
                tell(new RunEvent.VerdictArrived(read));
            }
        });
    }

    private void status(int redirector, byte[] status) {
        LeaseStatus read = Forger.parsed(() -> LeaseStatus.parseFrom(status));
        forger.read(read);
        network.send(place(redirector), Place.CONTROLLER, () -> tell(read));
    }

    void tell(LeaseStatus status) {
        read(() -> LeaseStatusDecoder.read(status)).ifPresent(report -> {
            Standing standing = killSwitch.catalog().update(report, SenderProof.read(status));
            if (standing == Standing.BELIEVED && report.service().equals(SERVICE)) {
                tell(new RunEvent.LeaseStatusArrived(report.lease()));
            }
        });
    }

    /** Reads as the controller's consumer does; empty when it cannot be read: that is forged, or repeats what was. */
    private <T> Optional<T> read(Supplier<T> decoder) {
        try {
            return Optional.of(decoder.get());
        } catch (RuntimeException skipped) {
            if (forgeries.none()) {
                throw skipped;
            }
            return Optional.empty();
        }
    }

    private void tell(RunEvent event) {
        List.copyOf(controllers).forEach(controller -> controller.step(event));
    }
}
