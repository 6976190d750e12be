// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Topic;
import io.redliner.contract.sender.SenderChain;
import io.redliner.contract.v1.Advice;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.FleetChange;
import io.redliner.contract.v1.FleetChangeKind;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.service.kafka.InMemoryBus;
import io.redliner.testkit.TestBroker;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Plays redirector and analyzer of one service, over real Kafka or in virtual time: obeys leases, gives the SUT exactly the share it was
 * asked for, and judges a window of 100 ms after each. The SUT holds {@value #CAPACITY} requests/s; the service gets
 * {@value #SERVICE_RATE}.
 */
public final class FakeDataPlane implements AutoCloseable {

    /** Requests/s. */
    public static final double CAPACITY = 400;

    /** Requests/s. */
    public static final double SERVICE_RATE = 1000;

    /** Each of four instances. */
    public static final int NATURAL_PPM = 250_000;

    static final long WINDOW_MS = 100;

    private final String service;

    private final DataPlaneLink link;

    private final InstantSource clock;

    private final List<Lease> leases = new CopyOnWriteArrayList<>();

    private final ObeyedKillSwitch killSwitch;

    private final SenderChain chain = new SenderChain(new SecureRandom());

    private final List<RunSpec> runs = new CopyOnWriteArrayList<>();

    private final Map<String, Long> sequences = new HashMap<>();

    /** What goes wrong. */
    public volatile boolean redirectorSilent;

    public volatile boolean analyzerSilent;

    public volatile boolean inconclusive;

    public volatile boolean guardBroken;

    public volatile boolean invalid;

    /** Whether one more check of the run had nothing to measure. */
    public volatile boolean unmeasured;

    public volatile boolean proxyConnected = true;

    public volatile boolean holding;

    /** Requests/s that the SUT is not asked to take more than. */
    public volatile double holdingAt = Double.MAX_VALUE;

    /** Requests of each window that break the SLA at the SUT beyond its peers, whatever share it has. */
    public volatile double sick;

    public volatile boolean instanceEjected;

    /** Addresses; each has the same share by itself. */
    public volatile List<String> instances = List.of("10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080",
            "10.0.0.4:8080");

    /** What somebody else's lease sends to the SUT once ours is given back; 0: nobody's. */
    public volatile int foreignPpm;

    /** Redirectors of which verdicts say that collectors see their proxies. */
    public volatile List<String> redirectors = List.of();

    public volatile LeaseStatus newestStatus = LeaseStatus.getDefaultInstance();

    private long statusAt;

    private long verdictAt;

    private double target = SERVICE_RATE * NATURAL_PPM / 1e6;

    private int step = 1;

    private int windowsInStep;

    private int confirmed;

    /** Over Kafka, in the machine's time. */
    public FakeDataPlane(TestBroker broker, String service) {
        this.service = service;
        this.clock = InstantSource.system();
        this.killSwitch = new ObeyedKillSwitch(clock);
        this.link = DataPlaneLink.overKafka(broker, this);
    }

    /** In virtual time. */
    public FakeDataPlane(InMemoryBus bus, VirtualTime time, String service) {
        this.service = service;
        this.clock = time;
        this.killSwitch = new ObeyedKillSwitch(time);
        this.link = DataPlaneLink.inVirtualTime(bus, time, this);
    }

    public String service() {
        return service;
    }

    public List<Lease> leases() {
        return leases;
    }

    public List<RunSpec> runs() {
        return runs;
    }

    public Lease newestLease() {
        return leases.getLast();
    }

    /** Whether no lease is in force. */
    public boolean natural() {
        return leases.isEmpty() || newestLease().getReleased()
                || newestLease().getExpiresAtMs() <= clock.millis();
    }

    @Override
    public void close() throws InterruptedException {
        link.close();
    }

    void tick() {
        long now = clock.millis();
        if (now - statusAt >= 200) {
            status(now);
        }
        if (now - verdictAt >= WINDOW_MS) {
            verdict(now);
        }
    }

    /** Its service's records, and what speaks to all services. */
    boolean accepts(String key) {
        return key.isEmpty() || key.equals(service);
    }

    /** The last kill switch that the redirectors received. */
    public KillSwitch killSwitch() {
        return killSwitch.received();
    }

    void take(Topic topic, byte[] value) {
        try {
            if (topic == Topic.LEASES) {
                Lease lease = Lease.parseFrom(value);
                if (lease.hasKillSwitch()) {
                    killSwitch.turn(lease.getKillSwitch());
                } else if (killSwitch.obeyed().getEngaged() && !lease.getReleased()) {
                    reject(lease);
                } else {
                    leases.add(lease);
                    status(clock.millis());
                }
            } else {
                runs.add(RunSpec.parseFrom(value));
            }
        } catch (InvalidProtocolBufferException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private void reject(Lease lease) {
        send(Topic.LEASE_STATUS, LeaseStatus.newBuilder().setService(service).setRedirector("redirector-1")
                .setAtMs(clock.millis()).setState(LeaseState.LEASE_STATE_REJECTED).setRunId(lease.getRunId())
                .setEpoch(lease.getEpoch()).setLeaseSequence(lease.getSequence())
                .setReason(io.redliner.contract.lease.KillSwitch.ENGAGED_BY + killSwitch.obeyed().getActor())
                .addProxies(ProxyStatus.newBuilder().setNode("node-1").setConnected(proxyConnected))
                .setKillSwitch(killSwitch.obeyed()).setSenderProof(chain.next(service).write()).build().toByteArray());
    }

    private void status(long now) {
        statusAt = now;
        if (redirectorSilent) {
            return;
        }
        LeaseStatus.Builder status = LeaseStatus.newBuilder()
                .setService(service)
                .setRedirector("redirector-1")
                .setAtMs(now)
                .setState(LeaseState.LEASE_STATE_NATURAL)
                .setKillSwitch(killSwitch.obeyed())
                .addProxies(ProxyStatus.newBuilder().setNode("node-1").setConnected(proxyConnected));
        List<String> fleet = instances;
        for (String address : fleet) {
            status.addInstances(
                    Instance.newBuilder().setAddress(address).setNaturalSharePpm(1_000_000 / fleet.size()));
        }
        if (!leases.isEmpty()) {
            Lease lease = leases.getLast();
            status.setRunId(lease.getRunId())
                    .setEpoch(lease.getEpoch())
                    .setLeaseSequence(lease.getSequence())
                    .setState(lease.getReleased() ? LeaseState.LEASE_STATE_NATURAL : LeaseState.LEASE_STATE_APPLIED)
                    .setSharePpm(lease.getSharePpm());
        }
        if (instanceEjected) {
            status.addChanges(FleetChange.newBuilder().setKind(FleetChangeKind.FLEET_CHANGE_KIND_EJECTED)
                    .setInstance("10.0.0.2:8080").setAtMs(now).setDetail("five 5xx in a row, says node-1"));
        }
        newestStatus = status.setSenderProof(chain.next(service).write()).build();
        send(Topic.LEASE_STATUS, newestStatus.toByteArray());
    }

    private void verdict(long now) {
        verdictAt = now;
        if (runs.isEmpty() || leases.isEmpty() || analyzerSilent) {
            return;
        }
        RunSpec run = runs.getLast();
        if (run.getPhase() == RunPhase.RUN_PHASE_FINISHED) {
            return;
        }
        Lease lease = leases.getLast();
        double load = SERVICE_RATE * lease.getSharePpm() / 1e6;
        boolean breached = load > CAPACITY;
        double p99 = 0.1 * load / CAPACITY;
        Judgement judgement = inconclusive
                ? Judgement.JUDGEMENT_INCONCLUSIVE
                : breached ? Judgement.JUDGEMENT_BREACHED : Judgement.JUDGEMENT_HOLDS;
        Advice.Builder advice = advice(load, breached, run);
        boolean ended = advice.getPhase() == SearchPhase.SEARCH_PHASE_ENDED;
        send(Topic.VERDICTS, Verdict.newBuilder()
                .setService(service)
                .setRunId(run.getRunId())
                .setEpoch(run.getEpoch())
                .setSequence(sequences.merge(run.getRunId(), 1L, Long::sum))
                .setWindowStartMs(now / WINDOW_MS * WINDOW_MS - WINDOW_MS)
                .setWindowLengthMs(WINDOW_MS)
                .setBrokenRequests((long) Math.ceil(harmed(breached)))
                .setJudgement(judgement)
                .addSla(FakeMeasurements.latency(judgement, p99))
                .addAllSla(watched(run, load))
                .addGuards(guard())
                .setAdvice(advice)
                .mergeFrom(ended ? ReportedConclusion.of(invalid, unmeasured) : Verdict.getDefaultInstance())
                .setSut(FakeMeasurements.traffic(load, measured(lease)).setLatencyP99(p99).setLatencyP50(p99 / 3))
                .setPeers(FakeMeasurements.traffic(SERVICE_RATE - load, 1_000_000 - measured(lease)))
                .setServiceRequestsPerSecond(SERVICE_RATE)
                .setHarmRequests(harmed(breached))
                .setEstimate(FakeMeasurements.estimate(run))
                .setEmittedAtMs(now).addAllRedirectors(redirectors).build().toByteArray());
    }

    private double harmed(boolean breached) {
        return sick + (breached ? 0.5 : 0);
    }

    private int measured(Lease lease) {
        return lease.getReleased() && foreignPpm > 0 ? foreignPpm : lease.getSharePpm();
    }

    /** Informational rules are true once the load is far too much. */
    private static List<RuleVerdict> watched(RunSpec run, double load) {
        return run.getSlaList().stream().filter(Rule::getInformational).map(rule -> RuleVerdict.newBuilder()
                .setName(rule.getName()).setExpression(rule.getExpression()).setInformational(true)
                .setJudgement(load > 1.3 * CAPACITY ? Judgement.JUDGEMENT_HOLDS : Judgement.JUDGEMENT_BREACHED)
                .build()).toList();
    }

    private RuleVerdict.Builder guard() {
        return RuleVerdict.newBuilder()
                .setName("fleet-errors")
                .setExpression("service.error_rate <= 0.01")
                .setJudgement(guardBroken ? Judgement.JUDGEMENT_BREACHED : Judgement.JUDGEMENT_HOLDS)
                .setValue(guardBroken ? 0.05 : 0)
                .setThreshold(0.01)
                .setUnit(Unit.UNIT_RATIO);
    }

    /** Five windows of baseline, 10 % more every three windows, down and five windows of confirmation at a breach. */
    private Advice.Builder advice(double load, boolean breached, RunSpec run) {
        Advice.Builder advice = Advice.newBuilder().setReason("step " + step);
        if (run.getPhase() == RunPhase.RUN_PHASE_RESTORING || run.getPhase() == RunPhase.RUN_PHASE_PAUSED) {
            return advice.setAction(AdviceAction.ADVICE_ACTION_HOLD)
                    .setPhase(SearchPhase.SEARCH_PHASE_RAMPING)
                    .setStep(step)
                    .setTargetRequestsPerSecond(target);
        }
        windowsInStep++;
        AdviceAction action = AdviceAction.ADVICE_ACTION_HOLD;
        SearchPhase phase = confirmed > 0 ? SearchPhase.SEARCH_PHASE_CONFIRMING : SearchPhase.SEARCH_PHASE_RAMPING;
        if (run.getPhase() == RunPhase.RUN_PHASE_PREPARING || (step == 1 && windowsInStep < 5)) {
            phase = SearchPhase.SEARCH_PHASE_BASELINE;
        } else if (breached) {
            action = AdviceAction.ADVICE_ACTION_SHED;
            target = load * 0.9;
            next();
            confirmed = 1;
        } else if (confirmed > 0 && confirmed++ > 5) {
            return advice.setAction(invalid ? AdviceAction.ADVICE_ACTION_GIVE_UP : AdviceAction.ADVICE_ACTION_DONE)
                    .setPhase(SearchPhase.SEARCH_PHASE_ENDED)
                    .setStep(step);
        } else if (confirmed == 0 && windowsInStep > 3 && !holding && target < holdingAt) {
            action = AdviceAction.ADVICE_ACTION_GO;
            target = target * 1.1;
            next();
        }
        return advice.setAction(action).setPhase(phase).setStep(step).setTargetRequestsPerSecond(target);
    }

    private void next() {
        step++;
        windowsInStep = 0;
    }

    /** Any record, also one that nobody can read. */
    public void send(Topic topic, byte @Nullable [] value) {
        link.send(topic, value);
    }
}
