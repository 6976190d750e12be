// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import io.redliner.contract.v1.Advice;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Attribute;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.Cohort;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.Estimate;
import io.redliner.contract.v1.ExceedanceCurve;
import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.Finding;
import io.redliner.contract.v1.FittedExceedance;
import io.redliner.contract.v1.FleetChange;
import io.redliner.contract.v1.FleetChangeKind;
import io.redliner.contract.v1.HeaderMatch;
import io.redliner.contract.v1.Histogram;
import io.redliner.contract.v1.Impairment;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.IntegerRange;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.KnownCapacity;
import io.redliner.contract.v1.LatencyHistory;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Limits;
import io.redliner.contract.v1.LoadGroup;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import io.redliner.contract.v1.OwnLimits;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.Redirect;
import io.redliner.contract.v1.RedirectMode;
import io.redliner.contract.v1.Resource;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.SenderProof;
import io.redliner.contract.v1.StatusRange;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.ValidityVerdict;
import io.redliner.contract.v1.Verdict;

/** One message of each topic with every field set. */
final class Samples {

    private static final long WINDOW_START = 1_790_000_000_000L;

    private Samples() {}

    static Observation observation() {
        return Observation.newBuilder().setService("profile-be").setInstance("10.0.3.17:8080")
                .setCollector("collector-1")
                .setSequence(7).setWindowStartMs(WINDOW_START).setWindowLengthMs(1000).setStarted(101).setCompleted(99)
                .addErrors(ErrorCount.newBuilder().setErrorClass(ErrorClass.ERROR_CLASS_TIMEOUT).setCount(2))
                .setLatency(histogram(20_000)).setInFlight(4)
                .addOverdue(Overdue.newBuilder().setLimitMicros(200_000).setNewlyOverdue(3).setSettled(1))
                .putGauges("cpu", 0.5).setProxies(2).setOutside(6).setCompletedRecords(33)
                .setMissed(5).addImpairments(Impairment.IMPAIRMENT_LAG)
                .setCancelled(3).setUnanswered(histogram(7_000)).setStreams(8).setFirstByte(histogram(9_000))
                .setSummary(true).addRedirectors("redirector-1")
                .setHistory(LatencyHistory.newBuilder().setStartMs(WINDOW_START - 2000).setPartLengthMs(1000)
                        .addRequests(97).addRequests(0).addLnMeans(9.5f).addLnMeans(0).addLnVariances(0.25f)
                        .addLnVariances(0))
                .addOwnLimits(ownLimit()).addHosts("web-1")
                .build();
    }

    private static OwnLimit ownLimit() {
        return OwnLimit.newBuilder().setKind(OwnLimitKind.OWN_LIMIT_KIND_ROUTE_TIMEOUT).setValue(15_000).setEnded(12)
                .setRequests(30).build();
    }

    private static Histogram histogram(long lowest) {
        return Histogram.newBuilder().addIncrements(lowest).addIncrements(16).addCounts(2).addCounts(300).build();
    }

    private static KnownCapacity known() {
        return KnownCapacity.newBuilder().setCapacity(331).setLow(318).setHigh(344).setRuns(3).build();
    }

    static RunSpec runSpec() {
        return RunSpec.newBuilder().setService("profile-be").setRunId("run-1").setEpoch(12).setSut("10.0.3.17:8080")
                .setPhase(RunPhase.RUN_PHASE_RAMPING).addSla(rule("latency", "latency.p99 <= duration('200ms')"))
                .addGuards(rule("fleet", "service.error_rate <= 0.01"))
                .setLimits(Limits.newBuilder().setMaxSharePpm(600_000).setMaxRaise(2).setMaxDurationMs(1_800_000)
                        .setHarmBudget(0.0001).setPrecision(0.2))
                .setWindowLengthMs(1000).setNaturalSharePpm(250_000).addOverdueLimitsMicros(200_000)
                .setStartedAtMs(WINDOW_START).setPlanHash("abc123").setJudgedOnly(true)
                .setTurnsBackAtMs(WINDOW_START).addInstances("10.0.3.17:8080").setKnown(known()).build();
    }

    static Verdict verdict() {
        return Verdict.newBuilder().setService("profile-be").setRunId("run-1").setEpoch(12).setSequence(5)
                .setWindowStartMs(WINDOW_START).setWindowLengthMs(1000).setJudgement(Judgement.JUDGEMENT_BREACHED)
                .addSla(ruleVerdict("latency")).addGuards(ruleVerdict("fleet"))
                .setAdvice(Advice.newBuilder().setAction(AdviceAction.ADVICE_ACTION_SHED)
                        .setTargetRequestsPerSecond(170.5).setPhase(SearchPhase.SEARCH_PHASE_RAMPING)
                        .setReason("p99 over its limit").setStep(6))
                .setSut(traffic(340)).setPeers(traffic(460)).setServiceRequestsPerSecond(800.25).setHarmRequests(2.5)
                .setEstimate(Estimate.newBuilder().setCapacity(330).setLow(320).setHigh(345).setLimitingRule("latency")
                        .setLimitingValue(0.21).setLimitingThreshold(0.2).setLastGood(328).setFirstBad(345)
                        .setCombined(known()))
                .setEmittedAtMs(WINDOW_START + 1300)
                .addBottleneck(Finding.newBuilder().setResource(Resource.RESOURCE_CPU).setStrength(0.9)
                        .setWords("the CPU was used to 94 %")
                        .addFigures(Figure.newBuilder().setName("cpu").setValue(0.94).setUnit(Unit.UNIT_RATIO)))
                .addValidity(ValidityCheck.newBuilder().setName("littles-law")
                        .setVerdict(ValidityVerdict.VALIDITY_VERDICT_DOUBTFUL).setValue(0.05).setLimit(0.03)
                        .setUnit(Unit.UNIT_RATIO).setWords("requests in flight against rate x mean latency"))
                .setElsewhereRequests(17).addElsewhere("10.0.3.19:8080").setBrokenRequests(9)
                .addRedirectors("redirector-1").setOwnLimit(ownLimit())
                .setExceedances(ExceedanceCurve.newBuilder().setRule("latency").setLatencyLimit(0.2)
                        .setAllowedRatio(0.01)
                        .addLoads(LoadGroup.newBuilder().setRequestsPerSecond(328).setSteps(4).setRequests(7_800)
                                .setExceeding(70).setCensored(true))
                        .addFit(FittedExceedance.newBuilder().setRequestsPerSecond(330).setRatio(0.01).setLow(0.006)
                                .setHigh(0.02))
                        .setShownPart(0.7).setUnfitted("the search did not reach the knee"))
                .build();
    }

    static Lease lease() {
        return Lease.newBuilder().setService("profile-be").setRunId("run-1").setEpoch(12).setSequence(31)
                .setSut("10.0.3.17:8080").setSharePpm(420_000).setIssuedAtMs(WINDOW_START)
                .setExpiresAtMs(WINDOW_START + 5000).setTtlMs(5000).setReleased(true).setRedirect(redirect())
                .setKillSwitch(killSwitch()).setMaxSharePpm(600_000).setNatural(true)
                .build();
    }

    private static KillSwitch killSwitch() {
        return KillSwitch.newBuilder().setEngaged(true).setActor("ops").setReason("incident 4711")
                .setAtMs(WINDOW_START).build();
    }

    private static Redirect redirect() {
        return Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_MODULO)
                .setAttribute(Attribute.newBuilder().setSource(AttributeSource.ATTRIBUTE_SOURCE_HEADER)
                        .setName("x-user-id"))
                .setModulus(1000)
                .addCohorts(Cohort.newBuilder().setName("young")
                        .addHeaders(HeaderMatch.newBuilder().setName("x-created")
                                .setRange(IntegerRange.newBuilder().setFrom(20250101).setTo(20260101)))
                        .addHeaders(HeaderMatch.newBuilder().setName("accept-language").setExact("de"))
                        .setPathPrefix("/profile").addMethods("GET"))
                .build();
    }

    static LeaseStatus leaseStatus() {
        return LeaseStatus.newBuilder().setService("profile-be").setRedirector("redirector-1").setRunId("run-1")
                .setEpoch(12).setLeaseSequence(31).setState(LeaseState.LEASE_STATE_FAILED).setSharePpm(250_000)
                .setReason("proxy front-1 refused the share").setAtMs(WINDOW_START + 40)
                .addProxies(ProxyStatus.newBuilder().setNode("front-1").setConnected(true).setAckedVersion("a")
                        .setWantedVersion("b").setError("unknown cluster"))
                .addInstances(Instance.newBuilder().setAddress("10.0.3.17:8080").setNaturalSharePpm(250_000)
                        .setHost("web-1"))
                .addChanges(FleetChange.newBuilder().setKind(FleetChangeKind.FLEET_CHANGE_KIND_EJECTED)
                        .setInstance("10.0.3.18:8080").setAtMs(WINDOW_START + 30)
                        .setDetail("proxy front-1 sends it no requests"))
                .setErrors(ErrorStatuses.newBuilder()
                        .addHttp(StatusRange.newBuilder().setFirst(429).setLast(429)).addGrpc(14))
                .addStreams("/shop.Cart/Watch").setElsewherePpm(200_000)
                .setProxiesConnected(21).setProxiesAcknowledged(20).addNodes("front-1")
                .setKillSwitch(killSwitch())
                .setSenderProof(SenderProof.newBuilder().setNumber(4711).setLink("0a1b").setNextRoot("2c3d"))
                .setOwnLimits(OwnLimits.newBuilder().setRouteTimeoutMs(15_000).setIdleTimeoutMs(300_000)
                        .setCircuitBreakerRequests(10_000))
                .build();
    }

    private static Rule rule(String name, String expression) {
        return Rule.newBuilder().setName(name).setExpression(expression).setInformational(true).build();
    }

    private static RuleVerdict ruleVerdict(String name) {
        return RuleVerdict.newBuilder().setName(name).setExpression("latency.p99 <= duration('200ms')")
                .setJudgement(Judgement.JUDGEMENT_BREACHED).setValue(0.21).setThreshold(0.2).setUtilisation(1.05)
                .setUnit(Unit.UNIT_SECONDS).setRequests(340).setExceeding(5).setAllowedRatio(0.01)
                .setInformational(true)
                .setReason("none").build();
    }

    private static Traffic traffic(double requestsPerSecond) {
        return Traffic.newBuilder().setRequestsPerSecond(requestsPerSecond).setCompleted(338).setErrors(1)
                .setInFlight(9)
                .setLatencyP50(0.02).setLatencyP99(0.21).setSharePpm(425_000).setShareRequests(790)
                .addGauges(Figure.newBuilder().setName("cpu").setValue(0.75).setUnit(Unit.UNIT_RATIO)).build();
    }
}
