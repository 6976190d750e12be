// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.v1.Advice;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Estimate;
import io.redliner.contract.v1.ExceedanceCurve;
import io.redliner.contract.v1.FittedExceedance;
import io.redliner.contract.v1.FleetChange;
import io.redliner.contract.v1.FleetChangeKind;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.LoadGroup;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.ValidityVerdict;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.VerdictPlausibility;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.testkit.AbsurdMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Well-formed verdicts and lease statuses of absurd values, as anybody with access to the topics can write them: each is refused,
 * or leads to a decision that keeps the run's bounds and can be stored.
 */
class AbsurdRecordsTest {

    private static final int RECORDS = 1_000;

    private static final Share NATURAL = new Share(250_000);

    private static final Share MAX_SHARE = new Share(600_000);

    private final RunJsonMapper json = new RunJsonMapper();

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private final ServiceCatalog catalog = new ServiceCatalog(() -> now, Duration.ofSeconds(5));

    private long epoch;

    private long sequence;

    private RunState state = begin();

    private RunState begin() {
        sequence = 0;
        epoch++;
        state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", epoch, NATURAL,
                new RunBounds(MAX_SHARE, 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1)), RunTimeouts.DEFAULT,
                now));
        decide(new RunEvent.Submitted(List.of("r1")));
        return state;
    }

    private void decide(RunEvent event) {
        assertThat(json.event(json.write(event))).isEqualTo(event);
        RunDecision decision = RunDecider.decide(state, event, now);
        assertThat(json.state(json.write(decision.state()))).isEqualTo(decision.state());
        state = decision.state();
        if (state instanceof RunState.Leased leased) {
            assertThat(leased.course().lease().newest().share()).isLessThanOrEqualTo(MAX_SHARE);
        }
    }

    private Verdict verdict() {
        double share = state instanceof RunState.Leased leased
                ? leased.course().lease().newest().share().ratio()
                : 0.25;
        return Verdict.newBuilder().setService("shop").setRunId("run").setEpoch(epoch).setSequence(++sequence)
                .setWindowStartMs(now.minusSeconds(1).toEpochMilli()).setWindowLengthMs(1_000)
                .setJudgement(Judgement.JUDGEMENT_HOLDS)
                .addSla(RuleVerdict.newBuilder().setName("latency").setExpression("x").setValue(0.1).setThreshold(0.2)
                        .setUtilisation(0.5).setJudgement(Judgement.JUDGEMENT_HOLDS).setRequests(100))
                .setAdvice(Advice.newBuilder().setAction(AdviceAction.ADVICE_ACTION_GO).setStep((int) sequence)
                        .setTargetRequestsPerSecond(1_000 * share * 1.1).setPhase(SearchPhase.SEARCH_PHASE_RAMPING))
                .setSut(traffic(share)).setPeers(traffic(1 - share)).setServiceRequestsPerSecond(1_000)
                .setEstimate(Estimate.newBuilder().setCapacity(400).setLow(390).setHigh(410)
                        .setLimitingRule("latency"))
                .addValidity(ValidityCheck.newBuilder().setName("littles-law")
                        .setVerdict(ValidityVerdict.VALIDITY_VERDICT_OK))
                .setExceedances(ExceedanceCurve.newBuilder().setRule("latency").setLatencyLimit(0.2)
                        .setAllowedRatio(0.01).setShownPart(0.7)
                        .addLoads(LoadGroup.newBuilder().setRequestsPerSecond(395).setSteps(3).setRequests(9_000)
                                .setExceeding(80))
                        .addFit(FittedExceedance.newBuilder().setRequestsPerSecond(400).setRatio(0.01).setLow(0.006)
                                .setHigh(0.02)))
                .setEmittedAtMs(now.toEpochMilli()).build();
    }

    private static Traffic traffic(double share) {
        return Traffic.newBuilder().setRequestsPerSecond(1_000 * share).setCompleted(Math.round(1_000 * share))
                .setSharePpm((int) (share * 1e6)).setShareRequests(1_000).setLatencyP99(0.1).build();
    }

    private LeaseStatus status() {
        long leaseSequence = state instanceof RunState.Leased leased ? leased.course().lease().newest().sequence() : 1;
        return LeaseStatus.newBuilder().setService("shop").setRedirector("r1").setRunId("run").setEpoch(epoch)
                .setLeaseSequence(leaseSequence).setState(LeaseState.LEASE_STATE_APPLIED).setAtMs(now.toEpochMilli())
                .addProxies(ProxyStatus.newBuilder().setNode("node-1").setConnected(true)).setProxiesConnected(1)
                .addInstances(Instance.newBuilder().setAddress("10.0.0.1:80").setNaturalSharePpm(250_000))
                .addChanges(FleetChange.newBuilder().setKind(FleetChangeKind.FLEET_CHANGE_KIND_RETURNED)
                        .setInstance("10.0.0.1:80").setAtMs(now.toEpochMilli()))
                .setKillSwitch(KillSwitch.newBuilder().setActor("ops").setAtMs(now.toEpochMilli())).build();
    }

    @Test
    void each_is_refused_or_leads_to_a_decision_within_bounds_that_can_be_stored() {
        Random random = new Random(7);
        int refused = 0;
        int searching = 0;
        for (int seed = 0; seed < RECORDS; seed++) {
            now = now.plusMillis(random.nextInt(700));
            boolean absurd = random.nextInt(4) == 0;
            try {
                if (random.nextBoolean()) {
                    take(absurd ? AbsurdMessages.of(verdict(), seed) : verdict());
                } else {
                    take(absurd ? AbsurdMessages.of(status(), seed) : status());
                }
            } catch (IllegalArgumentException poisoned) {
                assertThat(absurd).as(poisoned.toString()).isTrue();
                refused++;
            }
            if (!(state instanceof RunState.Finished)) {
                decide(new RunEvent.Tick());
            }
            searching += state instanceof RunState.Searching ? 1 : 0;
            if (state instanceof RunState.Finished) {
                begin();
            }
        }
        assertThat(refused).isBetween(RECORDS / 200, RECORDS / 4);
        assertThat(searching).as("runs get far in between").isGreaterThan(RECORDS / 50);
    }

    /** The reason of an advice that ends the search becomes the reason of the run's end. */
    @Test
    void advice_without_a_reason_says_so() {
        for (String reason : List.of("", " ", "\n\t")) {
            Verdict.Builder silent = verdict().toBuilder();
            silent.getAdviceBuilder().setReason(reason);
            assertThat(VerdictDecoder.read(silent.build()).advice().reason()).isNotBlank();
        }
    }

    private void take(Verdict message) {
        WindowVerdict verdict = VerdictDecoder.read(message);
        decide(new RunEvent.VerdictArrived(VerdictPlausibility.believed(verdict, RunRules.NONE, null)));
    }

    private void take(LeaseStatus message) {
        ServiceReport report = LeaseStatusDecoder.read(message);
        catalog.update(report, SenderProof.read(message));
        assertThat(catalog.services()).isNotEmpty();
        assertThat(catalog.killSwitches()).isNotNull();
        decide(new RunEvent.LeaseStatusArrived(report.lease()));
    }
}
