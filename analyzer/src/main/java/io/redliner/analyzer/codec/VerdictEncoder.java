// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.WindowResult;
import io.redliner.analyzer.search.KnownCapacity;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.OwnLimitEnds;
import io.redliner.contract.v1.Advice;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Estimate;
import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.Verdict;
import io.redliner.sla.Proportion;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.WindowStats;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Encodes the result of a window as the contract's verdict. */
public final class VerdictEncoder {

    private static final double MICROS_PER_SECOND = 1e6;

    private static final double PPM = 1e6;

    private VerdictEncoder() {}

    /**
     * Encodes the result of a window.
     *
     * @param redirectors whose proxies report to a collector
     */
    public static Verdict write(WindowResult windowResult, List<String> redirectors, Instant now) {
        var run = windowResult.run();
        var window = windowResult.window();
        String sut = run.criteria().sut();
        var tested = Optional.ofNullable(window.instances().get(sut));
        long addressed = window.addressed();
        long atSut = tested.map(InstanceMeasurements::addressed).orElse(0L);
        var verdict = Verdict.newBuilder().setService(run.service()).setRunId(run.runId()).setEpoch(run.epoch())
                .setSequence(windowResult.sequence()).setWindowStartMs(window.startMillis())
                .setWindowLengthMs(window.length().toMillis())
                .setJudgement(judgement(windowResult.evaluation().sla().judgement()))
                .setAdvice(advice(windowResult.advice()))
                .setSut(traffic(tested.map(InstanceMeasurements::measured),
                        tested.map(InstanceMeasurements::inFlight).orElse(0L),
                        atSut, addressed,
                        windowResult.evaluation().sla().judgement() == io.redliner.sla.Judgement.BREACHED
                                ? VerdictGauges::withSlowestRequests
                                : VerdictGauges::all))
                .setPeers(traffic(windowResult.evaluation().sla().measurements().of(Scope.PEERS),
                        window.peersInFlight(sut),
                        addressed - atSut, addressed,
                        VerdictGauges::known))
                .setServiceRequestsPerSecond(windowResult.serviceRequestsPerSecond())
                .setHarmRequests(windowResult.evaluation().harmRequests())
                .setBrokenRequests(windowResult.evaluation().brokenRequests()).setEmittedAtMs(now.toEpochMilli())
                .setElsewhereRequests(window.elsewhere().requests())
                .addAllElsewhere(window.elsewhere().addresses()).addAllRedirectors(redirectors);
        windowResult.evaluation().sla().rules().forEach(outcome -> verdict.addSla(rule(outcome)));
        windowResult.evaluation().guards().forEach(outcome -> verdict.addGuards(rule(outcome)));
        windowResult.advice().estimate()
                .ifPresent(estimate -> verdict.setEstimate(estimate(estimate, run.goal().known())));
        ownLimit(window.ownLimits(run.stage() == RunContext.Stage.WAITING || run.stage() == RunContext.Stage.BASELINE
                ? Optional.empty()
                : Optional.of(sut))).ifPresent(verdict::setOwnLimit);
        RunDiagnosisEncoder.write(windowResult.conclusion(), verdict);
        return verdict.build();
    }

    /**
     * Returns the limit that ended the most requests, if that is enough to matter. The caller leaves out the SUT while its share
     * may be raised: the raised share may be why it answers so late.
     */
    private static Optional<OwnLimit> ownLimit(List<OwnLimitEnds> limits) {
        return limits.stream()
                .filter(ends -> io.redliner.contract.limit.OwnLimit.matters(ends.ended(), ends.requests()))
                .max(Comparator.comparingLong(OwnLimitEnds::ended))
                .map(ends -> OwnLimit.newBuilder().setKind(OwnLimitKind.valueOf(ends.kind()))
                        .setValue(ends.value()).setEnded(ends.ended()).setRequests(ends.requests()).build());
    }

    private static RuleVerdict rule(RuleEvaluation outcome) {
        var deciding = outcome.comparison();
        var rule = RuleVerdict.newBuilder().setName(outcome.rule().name()).setExpression(outcome.rule().expression())
                .setInformational(outcome.rule().informational()).setJudgement(judgement(outcome.judgement()))
                .setUnit(unit(deciding.unit())).setReason(outcome.reason());
        deciding.value().ifPresent(rule::setValue);
        deciding.threshold().ifPresent(rule::setThreshold);
        deciding.utilisation().ifPresent(rule::setUtilisation);
        deciding.proportion().ifPresent(proportion -> counts(proportion, rule));
        return rule.build();
    }

    private static void counts(Proportion proportion, RuleVerdict.Builder rule) {
        rule.setRequests(proportion.requests()).setExceeding(proportion.exceeding())
                .setAllowedRatio(proportion.allowedRatio());
    }

    /**
     * Encodes the traffic of the SUT or of its peers.
     *
     * @param addressed requests started there that the lease addresses
     * @param addressedOfService requests started at any instance that the lease addresses
     * @param gauges selects the gauges to encode
     */
    private static Traffic traffic(Optional<WindowStats> measured, long inFlight, long addressed,
            long addressedOfService, Function<WindowStats, List<Figure>> gauges) {
        var traffic = Traffic.newBuilder().setInFlight(inFlight);
        measured.ifPresent(it -> {
            traffic.setRequestsPerSecond(it.started() * 1e9 / it.length().toNanos()).setCompleted(it.completed())
                    .setErrors(it.errors()).addAllGauges(gauges.apply(it));
            if (addressedOfService > 0) {
                traffic.setSharePpm((int) Math.round(PPM * addressed / addressedOfService))
                        .setShareRequests(addressedOfService);
            }
            if (it.latency().getTotalCount() > 0) {
                traffic.setLatencyP50(it.latency().getValueAtPercentile(50) / MICROS_PER_SECOND);
                traffic.setLatencyP99(it.latency().getValueAtPercentile(99) / MICROS_PER_SECOND);
            }
        });
        return traffic.build();
    }

    private static Advice advice(io.redliner.analyzer.search.SearchAdvice advice) {
        return Advice.newBuilder().setAction(action(advice.action()))
                .setTargetRequestsPerSecond(advice.requestsPerSecond()).setPhase(phase(advice.phase()))
                .setReason(advice.reason()).setStep(advice.step()).build();
    }

    /** Encodes an estimate. An unknown upper end stays 0. */
    private static Estimate estimate(io.redliner.analyzer.search.CapacityEstimate estimate,
            Optional<KnownCapacity> known) {
        var written = Estimate.newBuilder().setCapacity(estimate.capacity()).setLow(estimate.low());
        if (Double.isFinite(estimate.high())) {
            written.setHigh(estimate.high());
        }
        known.filter(it -> estimate.bounded()).map(it -> it.with(estimate))
                .ifPresent(both -> written.setCombined(io.redliner.contract.v1.KnownCapacity.newBuilder()
                        .setCapacity(both.capacity()).setLow(both.low()).setHigh(both.high()).setRuns(both.runs())));
        estimate.lastGood().ifPresent(written::setLastGood);
        estimate.limit().ifPresent(limit -> {
            written.setFirstBad(limit.requestsPerSecond()).setLimitingRule(limit.rule());
            limit.value().ifPresent(written::setLimitingValue);
            limit.threshold().ifPresent(written::setLimitingThreshold);
        });
        return written.build();
    }

    private static Judgement judgement(io.redliner.sla.Judgement judgement) {
        return switch (judgement) {
            case HOLDS -> Judgement.JUDGEMENT_HOLDS;
            case BREACHED -> Judgement.JUDGEMENT_BREACHED;
            case INCONCLUSIVE -> Judgement.JUDGEMENT_INCONCLUSIVE;
        };
    }

    private static AdviceAction action(io.redliner.analyzer.search.SearchAdvice.Action action) {
        return switch (action) {
            case HOLD -> AdviceAction.ADVICE_ACTION_HOLD;
            case GO -> AdviceAction.ADVICE_ACTION_GO;
            case SHED -> AdviceAction.ADVICE_ACTION_SHED;
            case DONE -> AdviceAction.ADVICE_ACTION_DONE;
            case EXHAUSTED -> AdviceAction.ADVICE_ACTION_EXHAUSTED;
            case GIVE_UP -> AdviceAction.ADVICE_ACTION_GIVE_UP;
        };
    }

    private static SearchPhase phase(io.redliner.analyzer.search.SearchAdvice.Phase phase) {
        return switch (phase) {
            case BASELINE -> SearchPhase.SEARCH_PHASE_BASELINE;
            case RAMPING -> SearchPhase.SEARCH_PHASE_RAMPING;
            case CONFIRMING -> SearchPhase.SEARCH_PHASE_CONFIRMING;
            case ENDED -> SearchPhase.SEARCH_PHASE_ENDED;
        };
    }

    static Unit unit(io.redliner.sla.MetricUnit unit) {
        return switch (unit) {
            case SECONDS -> Unit.UNIT_SECONDS;
            case RATIO -> Unit.UNIT_RATIO;
            case REQUESTS_PER_SECOND -> Unit.UNIT_REQUESTS_PER_SECOND;
            case COUNT -> Unit.UNIT_COUNT;
            case BYTES_PER_SECOND -> Unit.UNIT_BYTES_PER_SECOND;
            case UNKNOWN -> Unit.UNIT_UNSPECIFIED;
        };
    }
}
