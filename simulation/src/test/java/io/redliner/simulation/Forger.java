// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Epochs;
import io.redliner.contract.RunSpecs;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.ValidityVerdict;
import io.redliner.contract.v1.Verdict;
import io.redliner.simulation.Network.Place;
import io.redliner.testkit.AbsurdMessages;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Somebody who may write to all topics: a stranger, or a component that has gone wrong. What it reads there it builds upon. */
final class Forger {

    /** Topics that it may have changed: what was said of their records is not known to be true. */
    private final Set<Forgery.Topic> touched = EnumSet.noneOf(Forgery.Topic.class);

    private final LoopSimulation loop;

    private final SplittableRandom random;

    private final List<Lease> leases = new ArrayList<>();

    private RunSpec run = RunSpec.getDefaultInstance();

    private Verdict verdict = Verdict.getDefaultInstance();

    private LeaseStatus status = LeaseStatus.getDefaultInstance();

    private final List<Observation> observations = new ArrayList<>();

    /** The highest epoch of its own. */
    private long epoch;

    private long lastAt = -1;

    private double highestLoad;

    Forger(LoopSimulation loop, SplittableRandom random) {
        this.loop = loop;
        this.random = random;
    }

    void plan(Forgeries forgeries, long submission) {
        for (Forgery forgery : forgeries.all()) {
            for (int i = 0; i < forgery.count(); i++) {
                long at = Math.max(0, submission + forgery.at() + i * forgery.every());
                lastAt = Math.max(lastAt, at);
                loop.time.at(at, () -> write(forgery.kind()));
            }
        }
    }

    /** When it writes its last record, ms; below 0 when it writes none. */
    long lastAt() {
        return lastAt;
    }

    /** Requests/s at the SUT that its verdicts spoke of at most. */
    double highestLoad() {
        return highestLoad;
    }

    boolean touched(Forgery.Topic topic) {
        return touched.contains(topic);
    }

    void read(Lease lease) {
        leases.add(lease);
    }

    void read(RunSpec spec) {
        run = spec;
    }

    void read(Verdict newest) {
        verdict = newest;
    }

    void read(LeaseStatus newest) {
        status = newest;
    }

    void read(Observation observation) {
        observations.add(observation);
    }

    private void write(Forgery.Kind kind) {
        touched.add(kind.topic());
        switch (kind.topic()) {
            case LEASES -> lease(kind);
            case RUNS -> run(kind);
            case VERDICTS -> verdict(kind);
            case OBSERVATIONS -> observation(kind);
            case LEASE_STATUS -> status(kind);
        }
    }

    private void lease(Forgery.Kind kind) {
        Lease newest = leases.isEmpty() ? first() : leases.getLast();
        switch (kind) {
            case LEASE_ABSURD -> write(pick(LoopSimulation.SERVICE, LoopSimulation.SERVICE, "", "x"),
                    AbsurdMessages.of(newest, random.nextLong()));
            case LEASE_LIVE -> write(LoopSimulation.SERVICE, fresh(newest.toBuilder()).setReleased(false)
                    .setSequence(newest.getSequence() + 1 + random.nextInt(random.nextBoolean() ? 3 : 10_000))
                    .setSharePpm(share()).setMaxSharePpm(random.nextBoolean() ? newest.getMaxSharePpm() : share())
                    .build());
            case LEASE_SEQUENCE -> write(LoopSimulation.SERVICE, fresh(newest.toBuilder()).setReleased(false)
                    .setSequence(pick(-1L, -2L, Long.MAX_VALUE, newest.getSequence() + Epochs.MAX_SEQUENCE_JUMP + 1))
                    .setSharePpm(random.nextBoolean() ? 1_000_000 : newest.getMaxSharePpm()).build());
            case LEASE_REPLAYED -> write(LoopSimulation.SERVICE,
                    leases.isEmpty() ? newest : leases.get(random.nextInt(leases.size())));
            case LEASE_NEXT_EPOCH -> nextEpoch(newest);
            case LEASE_RELEASED -> write(LoopSimulation.SERVICE, newest.toBuilder().setReleased(true)
                    .setSequence(pick(-1L, 1L, newest.getSequence() + 1)).build());
            case LEASE_KEY -> write(pick("shop#1", "", "x"), random.nextBoolean()
                    ? fresh(newest.toBuilder()).setEpoch(newest.getEpoch() + 1).build().toByteArray()
                    : random.nextBoolean() ? killSwitch(true).toByteArray() : garbage());
            case LEASE_TOMBSTONE -> write(pick(LoopSimulation.SERVICE, ""), (byte[]) null);
            case SWITCH_RELEASED -> write("", killSwitch(false));
            case SWITCH_ENGAGED -> write("", killSwitch(true));
            default -> throw new IllegalArgumentException(kind.toString());
        }
    }

    /** A lease of a run that nobody has begun. */
    private static Lease first() {
        return Lease.newBuilder().setService(LoopSimulation.SERVICE).setRunId("nobody").setEpoch(1).setSequence(1)
                .setSut(Users.SUT).setTtlMs(5000).build();
    }

    private void nextEpoch(Lease newest) {
        // In all not more than one step: of those that go further the next run does not know.
        epoch = Math.max(epoch, newest.getEpoch()) + 1 + random.nextInt(random.nextBoolean() ? 2 : 20_000);
        write(LoopSimulation.SERVICE, fresh(newest.toBuilder()).setEpoch(epoch).setReleased(random.nextInt(10) == 0)
                .setRunId(random.nextBoolean() ? "evil" : newest.getRunId()).setSequence(1 + random.nextInt(3))
                .setSharePpm(share()).setMaxSharePpm(random.nextBoolean() ? 0 : 1_000_000).build());
    }

    private Lease.Builder fresh(Lease.Builder lease) {
        long now = loop.time.instant().toEpochMilli();
        return lease.setIssuedAtMs(random.nextInt(4) == 0 ? 0 : now)
                .setExpiresAtMs(pick(now + 5_000, now + 30_000, now + 86_400_000, RunSpecs.MAX_MILLIS))
                .setTtlMs(pick(4_000L, 5_000L, 30_000L, Long.MAX_VALUE));
    }

    private int share() {
        return random.nextInt(3) == 0 ? 1_000_000 : random.nextInt(1_000_000);
    }

    private Lease killSwitch(boolean engaged) {
        long now = loop.time.instant().toEpochMilli();
        return Lease.newBuilder().setKillSwitch(KillSwitch.newBuilder().setEngaged(engaged).setActor("evil")
                .setReason("forged").setAtMs(pick(0L, now, now + 3_600_000, 9_000_000_000_000_000L, Long.MIN_VALUE)))
                .build();
    }

    private void write(String key, Lease lease) {
        write(key, lease.toByteArray());
    }

    private void write(String key, byte @Nullable [] value) {
        loop.topic.write(Place.STRANGER, new LeaseRecord(key.getBytes(StandardCharsets.UTF_8), value, key.isEmpty(),
                true, loop.time.now()));
    }

    private void run(Forgery.Kind kind) {
        String key = kind == Forgery.Kind.RUN_ABSURD && random.nextInt(3) == 0 ? "x" : LoopSimulation.SERVICE;
        RunSpec.Builder next = run.toBuilder().setService(LoopSimulation.SERVICE);
        byte[] value = switch (kind) {
            case RUN_NEXT_EPOCH -> next.setRunId("evil").setEpoch(run.getEpoch() + 1 + random.nextInt(1_000))
                    .setPhase(RunPhase.RUN_PHASE_RAMPING).build().toByteArray();
            case RUN_FINISHED -> next.setPhase(RunPhase.RUN_PHASE_FINISHED)
                    .setRunId(random.nextBoolean() ? run.getRunId() : "evil")
                    .setEpoch(run.getEpoch() + pick(0L, 1L, 900_000L, Long.MAX_VALUE)).build().toByteArray();
            case RUN_TOMBSTONE -> null;
            default -> random.nextInt(10) == 0 ? garbage() : AbsurdMessages.of(run, random.nextLong()).toByteArray();
        };
        loop.network.send(Place.STRANGER, Place.ANALYZER,
                () -> loop.analyzer.received(io.redliner.contract.Topic.RUNS, key, value));
    }

    private void verdict(Forgery.Kind kind) {
        Verdict.Builder next = verdict.toBuilder()
                .setSequence(verdict.getSequence() + 1 + random.nextInt(random.nextInt(4) == 0 ? 1_000 : 2));
        Verdict forged = switch (kind) {
            case VERDICT_ANSWER -> answer(next);
            case VERDICT_RAISE -> raise(next);
            default -> AbsurdMessages.of(next.build(), random.nextLong());
        };
        double load = forged.getSut().getRequestsPerSecond();
        highestLoad = Double.isFinite(load) ? Math.max(highestLoad, load) : highestLoad;
        loop.network.send(Place.STRANGER, Place.CONTROLLER, () -> loop.promises.forged(() -> loop.tell(forged)));
    }

    private Verdict answer(Verdict.Builder next) {
        next.getAdviceBuilder().setAction(pick(AdviceAction.ADVICE_ACTION_DONE, AdviceAction.ADVICE_ACTION_EXHAUSTED))
                .setPhase(SearchPhase.SEARCH_PHASE_ENDED).setReason("found");
        double absurd = pick(99_999.0, 1e12, 5_000.0, 0.001);
        double measured = verdict.getSut().getRequestsPerSecond();
        double capacity = measured > 0 && next.getSequence() % 2 == 0 ? 0.9 * measured : absurd;
        next.getEstimateBuilder().setCapacity(capacity).setLow(0.9 * capacity).setHigh(1.1 * capacity)
                .setLimitingRule(pick("latency", "no-such-rule", ""));
        if (random.nextBoolean()) {
            next.clearValidity().addValidity(ValidityCheck.newBuilder().setName("littles-law")
                    .setVerdict(ValidityVerdict.VALIDITY_VERDICT_OK).setWords("fine"));
        }
        return next.build();
    }

    private Verdict raise(Verdict.Builder next) {
        next.setJudgement(Judgement.JUDGEMENT_HOLDS);
        next.getAdviceBuilder().setAction(pick(AdviceAction.ADVICE_ACTION_GO, AdviceAction.ADVICE_ACTION_HOLD))
                .setTargetRequestsPerSecond(pick(1e4, 1e12, 300.0)).setPhase(SearchPhase.SEARCH_PHASE_RAMPING);
        return next.build();
    }

    private void observation(Forgery.Kind kind) {
        if (observations.isEmpty()) {
            return;
        }
        Observation newest = observations
                .get(observations.size() - 1 - random.nextInt(Math.min(3, observations.size())));
        Observation forged = kind == Forgery.Kind.OBSERVATION_ABSURD
                ? AbsurdMessages.of(newest, random.nextLong())
                : newest.toBuilder().clearErrors().clearOverdue().setCollector(pick("collector", "evil"))
                        .setSequence(newest.getSequence() + random.nextInt(4))
                        .setWindowStartMs(newest.getWindowStartMs() + pick(0L, newest.getWindowLengthMs()))
                        .build();
        loop.network.send(Place.STRANGER, Place.ANALYZER, () -> arrived(forged));
    }

    private void status(Forgery.Kind kind) {
        LeaseStatus forged = switch (kind) {
            case STATUS_OTHER_STATE -> status.toBuilder()
                    .setState(pick(LeaseState.LEASE_STATE_NATURAL, LeaseState.LEASE_STATE_EXPIRED,
                            LeaseState.LEASE_STATE_APPLIED, LeaseState.LEASE_STATE_PENDING))
                    .setLeaseSequence(status.getLeaseSequence() + pick(0L, 1L, 100L)).build();
            case STATUS_STRANGER -> status.toBuilder().setRedirector("redirector-" + (2 + random.nextInt(50)))
                    .setState(pick(LeaseState.LEASE_STATE_NATURAL, LeaseState.LEASE_STATE_APPLIED)).build();
            default -> AbsurdMessages.of(status, random.nextLong());
        };
        loop.network.send(Place.STRANGER, Place.CONTROLLER, () -> loop.promises.forged(() -> loop.tell(forged)));
    }

    private void arrived(Observation forged) {
        loop.measured(forged);
        loop.analyzer.received(io.redliner.contract.Topic.OBSERVATIONS, LoopSimulation.SERVICE, forged.toByteArray());
    }

    private byte[] garbage() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    @SafeVarargs
    private <T> T pick(T... one) {
        return one[random.nextInt(one.length)];
    }

    /** Reads a record that a component wrote. */
    interface Parser<T> {

        T parse() throws InvalidProtocolBufferException;
    }

    static <T> T parsed(Parser<T> parser) {
        try {
            return parser.parse();
        } catch (InvalidProtocolBufferException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
