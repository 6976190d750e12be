// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.limit.OwnLimit;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.Finding;
import io.redliner.contract.v1.Resource;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.Elsewhere;
import io.redliner.controller.core.run.ExceedanceCurve;
import io.redliner.controller.core.run.RuleCounts;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads verdicts. */
public final class VerdictDecoder {

    private static final long MAX_WINDOW_MS = Duration.ofDays(1).toMillis();

    /** The largest rate or number of requests. No service gets more, and sums of such numbers stay finite. */
    private static final double MAX_NUMBER = 1e12;

    /** Each window is stored, so more gauges would fill the database. */
    private static final int MAX_GAUGES = 32;

    private static final int MAX_NAME = 200;

    private static final int MAX_ADDRESSES = 5;

    /** The journal holds the curve of each run. */
    private static final int MAX_POINTS = 64;

    private static final String RESOURCE_PREFIX = "RESOURCE_";

    private VerdictDecoder() {}

    /**
     * Reads one verdict.
     *
     * @throws IllegalArgumentException when a value is impossible
     */
    public static WindowVerdict read(Verdict verdict) {
        requireWithin("a window of ms", verdict.getWindowLengthMs(), 1, MAX_WINDOW_MS);
        Instant start = Instant.ofEpochMilli(verdict.getWindowStartMs());
        if (!TimestampRange.include(start)) {
            throw new IllegalArgumentException("a window that begins at " + verdict.getWindowStartMs());
        }
        requireWithin("sequence", verdict.getSequence(), 0, Long.MAX_VALUE);
        requireWithin("epoch", verdict.getEpoch(), 0, Long.MAX_VALUE);
        return new WindowVerdict(TextSanitizer.of(verdict.getRunId()), verdict.getEpoch(), verdict.getSequence(),
                start, Duration.ofMillis(verdict.getWindowLengthMs()),
                judgement(verdict.getJudgement()), rules(verdict.getSlaList()), rules(verdict.getGuardsList()),
                advice(verdict.getAdvice()), traffic(verdict.getSut(), verdict), traffic(verdict.getPeers(), verdict),
                finite(verdict.getServiceRequestsPerSecond()), finite(verdict.getHarmRequests()),
                verdict.hasEstimate() ? estimate(verdict.getEstimate()) : null, conclusion(verdict),
                elsewhere(verdict), broken(verdict), ownLimit(verdict));
    }

    private static @Nullable OwnLimit ownLimit(Verdict verdict) {
        OwnLimit.Kind kind = switch (verdict.getOwnLimit().getKind()) {
            case OWN_LIMIT_KIND_ROUTE_TIMEOUT -> OwnLimit.Kind.ROUTE_TIMEOUT;
            case OWN_LIMIT_KIND_IDLE_TIMEOUT -> OwnLimit.Kind.IDLE_TIMEOUT;
            case OWN_LIMIT_KIND_CIRCUIT_BREAKER -> OwnLimit.Kind.CIRCUIT_BREAKER;
            case OWN_LIMIT_KIND_UNSPECIFIED, UNRECOGNIZED -> null;
        };
        return kind == null
                ? null
                : new OwnLimit(kind, verdict.getOwnLimit().getValue(), verdict.getOwnLimit().getEnded(),
                        verdict.getOwnLimit().getRequests());
    }

    private static @Nullable Long broken(Verdict verdict) {
        requireWithin("broken requests", verdict.getBrokenRequests(), 0, Long.MAX_VALUE);
        return verdict.getBrokenRequests() == 0 ? null : verdict.getBrokenRequests();
    }

    private static @Nullable Elsewhere elsewhere(Verdict verdict) {
        requireWithin("requests elsewhere", verdict.getElsewhereRequests(), 0, Long.MAX_VALUE);
        return verdict.getElsewhereRequests() == 0
                ? null
                : new Elsewhere(verdict.getElsewhereRequests(), verdict.getElsewhereList().stream()
                        .filter(address -> address.length() <= MAX_NAME).limit(MAX_ADDRESSES)
                        .map(TextSanitizer::of).toList());
    }

    private static void requireWithin(String field, long number, long min, long max) {
        if (number < min || number > max) {
            throw new IllegalArgumentException(field + " " + number);
        }
    }

    private static List<RuleResult> rules(List<RuleVerdict> rules) {
        return rules.stream()
                .map(rule -> new RuleResult(TextSanitizer.of(rule.getName()), TextSanitizer.of(rule.getExpression()),
                        judgement(rule.getJudgement()), rule.hasValue() ? known(rule.getValue()) : null,
                        rule.hasThreshold() ? known(rule.getThreshold()) : null,
                        rule.hasUtilisation() ? known(rule.getUtilisation()) : null, unit(rule.getUnit()),
                        rule.getInformational(),
                        TextSanitizer.of(rule.getReason()), proportion(rule)))
                .toList();
    }

    private static @Nullable RuleCounts proportion(RuleVerdict rule) {
        double allowed = rule.getAllowedRatio();
        return rule.getRequests() > 0 && Double.isFinite(allowed)
                ? new RuleCounts(rule.getRequests(), Math.min(rule.getExceeding(), rule.getRequests()),
                        allowed)
                : null;
    }

    private static SearchAdvice advice(io.redliner.contract.v1.Advice advice) {
        SearchAdvice.Action action = switch (advice.getAction()) {
            case ADVICE_ACTION_HOLD -> SearchAdvice.Action.HOLD;
            case ADVICE_ACTION_GO -> SearchAdvice.Action.GO;
            case ADVICE_ACTION_SHED -> SearchAdvice.Action.SHED;
            case ADVICE_ACTION_DONE -> SearchAdvice.Action.DONE;
            case ADVICE_ACTION_EXHAUSTED -> SearchAdvice.Action.EXHAUSTED;
            case ADVICE_ACTION_GIVE_UP -> SearchAdvice.Action.GIVE_UP;
            case ADVICE_ACTION_UNSPECIFIED, UNRECOGNIZED -> SearchAdvice.Action.NONE;
        };
        SearchAdvice.Phase phase = switch (advice.getPhase()) {
            case SEARCH_PHASE_BASELINE -> SearchAdvice.Phase.BASELINE;
            case SEARCH_PHASE_RAMPING -> SearchAdvice.Phase.RAMPING;
            case SEARCH_PHASE_CONFIRMING -> SearchAdvice.Phase.CONFIRMING;
            case SEARCH_PHASE_ENDED -> SearchAdvice.Phase.ENDED;
            case SEARCH_PHASE_UNSPECIFIED, UNRECOGNIZED -> SearchAdvice.Phase.UNKNOWN;
        };
        String reason = TextSanitizer.of(advice.getReason());
        double target = advice.getTargetRequestsPerSecond();
        boolean usable = target >= 0 && target <= MAX_NUMBER;
        return new SearchAdvice(usable ? action : SearchAdvice.Action.NONE, usable ? target : 0, phase,
                // It may become the reason of a run's end, which is never without words.
                reason.isBlank() ? "the verdict gives no reason" : reason, advice.getStep());
    }

    private static TrafficSample traffic(Traffic traffic, Verdict verdict) {
        requireWithin("completed", traffic.getCompleted(), 0, Long.MAX_VALUE);
        requireWithin("share requests", traffic.getShareRequests(), 0, Long.MAX_VALUE);
        return new TrafficSample(finite(traffic.getRequestsPerSecond()), traffic.getCompleted(), traffic.getErrors(),
                traffic.getInFlight(), traffic.hasLatencyP50() ? known(traffic.getLatencyP50()) : null,
                traffic.hasLatencyP99() ? known(traffic.getLatencyP99()) : null, new Share(traffic.getSharePpm()),
                hasShareRequests(verdict) ? traffic.getShareRequests() : null, gauges(traffic));
    }

    private static List<GaugeSample> gauges(Traffic traffic) {
        return traffic.getGaugesList()
                .stream()
                .filter(gauge -> Double.isFinite(gauge.getValue()) && gauge.getName().length() <= MAX_NAME)
                .limit(MAX_GAUGES)
                .map(gauge -> new GaugeSample(TextSanitizer.of(gauge.getName()), gauge.getValue(),
                        unit(gauge.getUnit())))
                .toList();
    }

    /** Returns false for an older analyzer, which sends shares without the numbers of requests that they were measured on. */
    private static boolean hasShareRequests(Verdict verdict) {
        return verdict.getSut().getShareRequests() > 0 || verdict.getPeers().getShareRequests() > 0
                || (verdict.getSut().getSharePpm() == 0 && verdict.getPeers().getSharePpm() == 0);
    }

    private static CapacityEstimate estimate(io.redliner.contract.v1.Estimate estimate) {
        return new CapacityEstimate(finite(estimate.getCapacity()), end(estimate.getLow()), end(estimate.getHigh()),
                TextSanitizer.of(estimate.getLimitingRule()),
                estimate.hasLimitingValue() ? known(estimate.getLimitingValue()) : null,
                estimate.hasLimitingThreshold() ? known(estimate.getLimitingThreshold()) : null,
                estimate.hasLastGood() ? known(estimate.getLastGood()) : null,
                estimate.hasFirstBad() ? known(estimate.getFirstBad()) : null,
                estimate.hasCombined() ? combined(estimate.getCombined()) : null);
    }

    private static @Nullable KnownCapacity combined(io.redliner.contract.v1.KnownCapacity both) {
        return KnownCapacity.of(both.getCapacity(), both.getLow(), both.getHigh(), both.getRuns());
    }

    /** Returns the bottleneck and the validity checks of a verdict that ends the search; null when it has neither. */
    private static @Nullable SearchConclusion conclusion(Verdict verdict) {
        return verdict.getBottleneckCount() == 0 && verdict.getValidityCount() == 0
                ? null
                : new SearchConclusion(verdict.getBottleneckList().stream().map(VerdictDecoder::finding).toList(),
                        verdict.getValidityList().stream().map(VerdictDecoder::check).toList(),
                        verdict.hasExceedances() ? exceedances(verdict.getExceedances()) : null);
    }

    /** Reads a curve without its impossible points. */
    private static ExceedanceCurve exceedances(io.redliner.contract.v1.ExceedanceCurve curve) {
        return new ExceedanceCurve(TextSanitizer.of(curve.getRule()),
                curve.hasLatencyLimit() ? known(curve.getLatencyLimit()) : null, ratio(curve.getAllowedRatio()),
                curve.getLoadsList().stream()
                        .filter(group -> isLoad(group.getRequestsPerSecond()) && group.getRequests() > 0
                                && group.getExceeding() >= 0 && group.getExceeding() <= group.getRequests())
                        .limit(MAX_POINTS)
                        .map(group -> new ExceedanceCurve.LoadGroup(group.getRequestsPerSecond(),
                                Integer.toUnsignedLong(group.getSteps()), group.getRequests(), group.getExceeding(),
                                group.getCensored()))
                        .toList(),
                curve.getFitList().stream()
                        .filter(point -> isLoad(point.getRequestsPerSecond()) && point.getLow() <= point.getRatio()
                                && point.getRatio() <= point.getHigh())
                        .limit(MAX_POINTS)
                        .map(point -> new ExceedanceCurve.FittedPoint(point.getRequestsPerSecond(),
                                ratio(point.getRatio()), ratio(point.getLow()), ratio(point.getHigh())))
                        .toList(),
                curve.getShownPart() > 0 && curve.getShownPart() <= 1 ? curve.getShownPart() : 1,
                TextSanitizer.of(curve.getUnfitted()));
    }

    private static boolean isLoad(double requestsPerSecond) {
        return requestsPerSecond > 0 && requestsPerSecond <= MAX_NUMBER;
    }

    private static double ratio(double number) {
        return Double.isFinite(number) ? Math.clamp(number, 0, 1) : 0;
    }

    private static SearchConclusion.Finding finding(Finding finding) {
        return new SearchConclusion.Finding(resource(finding.getResource()),
                Double.isFinite(finding.getStrength()) ? Math.clamp(finding.getStrength(), 0, 1) : 0,
                TextSanitizer.of(finding.getWords()),
                finding.getFiguresList().stream().filter(figure -> Double.isFinite(figure.getValue()))
                        .map(figure -> new SearchConclusion.Figure(TextSanitizer.of(figure.getName()),
                                figure.getValue(),
                                unit(figure.getUnit())))
                        .toList());
    }

    private static String resource(Resource resource) {
        return switch (resource) {
            case RESOURCE_UNSPECIFIED, UNRECOGNIZED -> "UNKNOWN";
            case RESOURCE_CPU, RESOURCE_CPU_QUOTA, RESOURCE_MEMORY, RESOURCE_GARBAGE_COLLECTION,
                    RESOURCE_OPERATING_SYSTEM_PAUSES, RESOURCE_LOCK_CONTENTION, RESOURCE_THREAD_OR_CONNECTION_POOL,
                    RESOURCE_NETWORK_BANDWIDTH, RESOURCE_DISK, RESOURCE_SLOW_CLIENT, RESOURCE_SLOW_NETWORK,
                    RESOURCE_DOWNSTREAM_SERVICE, RESOURCE_OWN_DEPENDENCIES, RESOURCE_NONE_REACHED, RESOURCE_UNKNOWN ->
                resource.name().substring(RESOURCE_PREFIX.length());
        };
    }

    private static SearchConclusion.ValidityCheck check(ValidityCheck check) {
        Validity validity = switch (check.getVerdict()) {
            case VALIDITY_VERDICT_OK -> Validity.OK;
            case VALIDITY_VERDICT_DOUBTFUL -> Validity.DOUBTFUL;
            case VALIDITY_VERDICT_INVALID -> Validity.INVALID;
            case VALIDITY_VERDICT_UNKNOWN, VALIDITY_VERDICT_UNSPECIFIED, UNRECOGNIZED -> Validity.UNKNOWN;
        };
        return new SearchConclusion.ValidityCheck(TextSanitizer.of(check.getName()), validity,
                check.hasValue() ? known(check.getValue()) : null,
                check.hasLimit() ? known(check.getLimit()) : null, unit(check.getUnit()),
                TextSanitizer.of(check.getWords()));
    }

    private static Judgement judgement(io.redliner.contract.v1.Judgement judgement) {
        return switch (judgement) {
            case JUDGEMENT_HOLDS -> Judgement.HOLDS;
            case JUDGEMENT_BREACHED -> Judgement.BREACHED;
            case JUDGEMENT_INCONCLUSIVE, JUDGEMENT_UNSPECIFIED, UNRECOGNIZED -> Judgement.INCONCLUSIVE;
        };
    }

    private static String unit(Unit unit) {
        return switch (unit) {
            case UNIT_SECONDS -> "seconds";
            case UNIT_RATIO -> "ratio";
            case UNIT_REQUESTS_PER_SECOND -> "requests/s";
            case UNIT_COUNT -> "count";
            case UNIT_BYTES_PER_SECOND -> "bytes/s";
            case UNIT_UNSPECIFIED, UNRECOGNIZED -> "";
        };
    }

    /** Returns 0 for an impossible number of requests: no rule of the controller takes 0 for healthy. */
    private static double finite(double number) {
        return number >= 0 && number <= MAX_NUMBER ? number : 0;
    }

    /** Returns the largest number for an impossible end of an interval: an estimate with such an end is not believed. */
    private static double end(double number) {
        return number >= 0 && number <= MAX_NUMBER ? number : MAX_NUMBER;
    }

    private static @Nullable Double known(double number) {
        return Double.isFinite(number) ? number : null;
    }
}
