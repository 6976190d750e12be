// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.contract.v1.Advice;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Estimate;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One service as the controller hears of it: 1 000 requests/s, four instances, two proxies, and a SUT that bears
 * everything. Its search asks for 25 % and 30 % by turns. Shared by two threads.
 */
final class SimulatedService {

    static final long WINDOW_MILLIS = 1_000;

    private static final double RATE = 1_000;

    /** Parts per million. */
    private static final int NATURAL_PPM = 250_000;

    private static final int RAISED_PPM = 300_000;

    /** So long before its expiry a redirector gives a lease up. */
    private static final Duration LEASE_MARGIN = Duration.ofMillis(300);

    private final int number;

    private final String name;

    private final int every;

    private @Nullable RunSpec run;

    private @Nullable Lease lease;

    private int shareInForce = NATURAL_PPM;

    private int wanted = NATURAL_PPM;

    private int step = 1;

    private long sequence;

    private boolean ended;

    private boolean lapsed;

    private @Nullable Asked asked;

    /**
     * A verdict that asks for another share.
     *
     * @param measured whether its answer counts
     */
    record Asked(int sharePpm, Instant at, boolean measured) {}

    /**
     * @param every so many windows the search asks for another share
     * @param sequence of the newest window that was judged before
     */
    SimulatedService(int number, int every, long sequence) {
        this.number = number;
        this.sequence = sequence;
        this.name = "service-" + number;
        this.every = every;
    }

    String name() {
        return name;
    }

    String plan() {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s, labels: {team: bench}}
                spec:
                  service: %s
                  sut: {instance: "10.0.0.1:8080"}
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('200ms')"}
                    - {name: errors, expr: "error_rate <= 0.001"}
                  guards:
                    - {name: fleet-errors, expr: "service.error_rate <= 0.01"}
                  limits: {maxShare: 60%%, maxDuration: 30m, harmBudget: 1%%, window: 1s}
                """.formatted(name, name);
    }

    synchronized void specified(RunSpec spec) {
        if (run != null && spec.getRunId().equals(run.getRunId()) && live(run) && !live(spec)) {
            ended = true;
        }
        run = spec;
    }

    /** Whether a run is live that is not on its way back. */
    synchronized boolean live() {
        return run != null && live(run);
    }

    private static boolean live(RunSpec spec) {
        return switch (spec.getPhase()) {
            case RUN_PHASE_PREPARING, RUN_PHASE_BASELINE, RUN_PHASE_RAMPING, RUN_PHASE_CONFIRMING -> true;
            default -> false;
        };
    }

    /** Whether its run has ended; nothing here gives it a reason to. */
    synchronized boolean ended() {
        return ended;
    }

    /** Whether a lease has run out before it was renewed. */
    synchronized boolean lapsed() {
        return lapsed;
    }

    /** Whether a verdict from before this asked for another share, and no lease has come. */
    synchronized boolean waitsSince(Instant before) {
        return asked != null && asked.measured() && asked.at().isBefore(before);
    }

    /** A search that has been let go. */
    synchronized boolean searching() {
        return live() && run != null && run.getPhase() == RunPhase.RUN_PHASE_RAMPING;
    }

    /**
     * A lease came: what asked for its share, if a verdict did.
     *
     * @return the verdict that it follows
     */
    synchronized Optional<Asked> answered(Lease next) {
        lease = next;
        if (asked == null || asked.sharePpm() != next.getSharePpm() || next.getReleased()) {
            return Optional.empty();
        }
        var answered = Optional.of(asked);
        asked = null;
        return answered;
    }

    /** How much time the lease before had left when this one came; empty for the first. */
    synchronized Optional<Duration> left(Lease next, Instant now) {
        return lease == null || lease.getReleased() || lease.getEpoch() != next.getEpoch()
                ? Optional.empty()
                : Optional.of(Duration.between(now, Instant.ofEpochMilli(lease.getExpiresAtMs())));
    }

    /** Whether a lease changes what the proxies do, so that they need a moment. */
    synchronized boolean moves(Lease next) {
        return next.getSharePpm() != shareInForce;
    }

    /** The proxies have followed. */
    synchronized void follow() {
        if (lease != null) {
            shareInForce = lease.getSharePpm();
        }
    }

    /** What a redirector says of it now. */
    synchronized byte[] status(Instant now) {
        var status = LeaseStatus.newBuilder().setService(name).setRedirector("redirector-1").setAtMs(now.toEpochMilli())
                .setState(LeaseState.LEASE_STATE_NATURAL).setSharePpm(NATURAL_PPM);
        for (int proxy = 1; proxy <= 2; proxy++) {
            status.addProxies(ProxyStatus.newBuilder().setNode("proxy-" + number + "-" + proxy).setConnected(true)
                    .setAckedVersion("5d41402abc4b2a76").setWantedVersion("5d41402abc4b2a76"));
        }
        for (int instance = 1; instance <= 4; instance++) {
            status.addInstances(Instance.newBuilder().setAddress("10.0.0." + instance + ":8080")
                    .setNaturalSharePpm(NATURAL_PPM));
        }
        if (lease != null) {
            status.setRunId(lease.getRunId()).setEpoch(lease.getEpoch()).setLeaseSequence(lease.getSequence())
                    .setState(state(lease, now)).setSharePpm(shareInForce);
        }
        return status.build().toByteArray();
    }

    private LeaseState state(Lease known, Instant now) {
        if (known.getReleased()) {
            return LeaseState.LEASE_STATE_NATURAL;
        }
        if (!now.isBefore(Instant.ofEpochMilli(known.getExpiresAtMs()).minus(LEASE_MARGIN))) {
            lapsed = true;
            shareInForce = NATURAL_PPM;
            return LeaseState.LEASE_STATE_EXPIRED;
        }
        return known.getSharePpm() == shareInForce ? LeaseState.LEASE_STATE_APPLIED : LeaseState.LEASE_STATE_PENDING;
    }

    /**
     * The verdict on the window that ends, when there is a run.
     *
     * @param window its number
     * @param measured whether the answer counts, when it asks for another share
     */
    synchronized Optional<byte[]> verdict(long window, Instant windowEnd, Instant now, boolean measured) {
        if (run == null || run.getPhase() == RunPhase.RUN_PHASE_FINISHED || lease == null) {
            return Optional.empty();
        }
        sequence++;
        var action = AdviceAction.ADVICE_ACTION_HOLD;
        if (searching() && asked == null && (window + number) % every == 0) {
            action = wanted == NATURAL_PPM ? AdviceAction.ADVICE_ACTION_GO : AdviceAction.ADVICE_ACTION_SHED;
            wanted = wanted == NATURAL_PPM ? RAISED_PPM : NATURAL_PPM;
            step++;
            asked = new Asked(wanted, now, measured);
        }
        return Optional.of(verdict(run, action, windowEnd, now));
    }

    private byte[] verdict(RunSpec spec, AdviceAction action, Instant windowEnd, Instant now) {
        double load = RATE * shareInForce / 1e6;
        return Verdict.newBuilder().setService(name).setRunId(spec.getRunId()).setEpoch(spec.getEpoch())
                .setSequence(sequence).setWindowStartMs(windowEnd.toEpochMilli() - WINDOW_MILLIS)
                .setWindowLengthMs(WINDOW_MILLIS).setJudgement(Judgement.JUDGEMENT_HOLDS)
                .addSla(rule("latency", "latency.p99 <= duration('200ms')", 0.05, 0.2, Unit.UNIT_SECONDS))
                .addSla(rule("errors", "error_rate <= 0.001", 0, 0.001, Unit.UNIT_RATIO))
                .addGuards(rule("fleet-errors", "service.error_rate <= 0.01", 0, 0.01, Unit.UNIT_RATIO))
                .setAdvice(Advice.newBuilder().setAction(action).setTargetRequestsPerSecond(RATE * wanted / 1e6)
                        .setPhase(SearchPhase.SEARCH_PHASE_RAMPING).setReason("step " + step).setStep(step))
                .setSut(traffic(load, shareInForce)).setPeers(traffic(RATE - load, 1_000_000 - shareInForce))
                .setServiceRequestsPerSecond(RATE)
                .setEstimate(Estimate.newBuilder().setCapacity(395).setLow(390).setHigh(400).setLastGood(390))
                .setEmittedAtMs(now.toEpochMilli()).build().toByteArray();
    }

    private static RuleVerdict.Builder rule(String name, String expression, double value, double threshold, Unit unit) {
        return RuleVerdict.newBuilder().setName(name).setExpression(expression)
                .setJudgement(Judgement.JUDGEMENT_HOLDS).setValue(value).setThreshold(threshold)
                .setUtilisation(value / threshold).setUnit(unit).setRequests(250).setExceeding(0)
                .setAllowedRatio(0.01);
    }

    private static Traffic.Builder traffic(double rate, int share) {
        return Traffic.newBuilder().setRequestsPerSecond(rate).setCompleted(Math.round(rate)).setSharePpm(share)
                .setShareRequests(Math.round(RATE)).setLatencyP50(0.02).setLatencyP99(0.05);
    }
}
