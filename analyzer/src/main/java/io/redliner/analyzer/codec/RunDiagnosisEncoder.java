// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import io.redliner.analyzer.run.RunDiagnosis;
import io.redliner.contract.v1.ExceedanceCurve;
import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.FittedExceedance;
import io.redliner.contract.v1.LoadGroup;
import io.redliner.contract.v1.Finding;
import io.redliner.contract.v1.Resource;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.ValidityVerdict;
import io.redliner.contract.v1.Verdict;

/** Encodes the diagnosis of a run into the contract's verdict. */
final class RunDiagnosisEncoder {

    private RunDiagnosisEncoder() {}

    static void write(RunDiagnosis diagnosis, Verdict.Builder verdict) {
        diagnosis.bottleneck().forEach(finding -> verdict.addBottleneck(finding(finding)));
        diagnosis.validity().forEach(check -> verdict.addValidity(check(check)));
        diagnosis.curve().ifPresent(curve -> verdict.setExceedances(curve(curve)));
    }

    private static Finding finding(io.redliner.analyzer.bottleneck.BottleneckFinding finding) {
        var written = Finding.newBuilder().setResource(resource(finding.resource()))
                .setStrength(finding.strength()).setWords(finding.message());
        finding.figures().forEach(figure -> written.addFigures(Figure.newBuilder().setName(figure.name())
                .setValue(figure.value()).setUnit(VerdictEncoder.unit(figure.unit()))));
        return written.build();
    }

    private static ValidityCheck check(io.redliner.analyzer.validity.ValidityCheckResult check) {
        var written = ValidityCheck.newBuilder().setName(check.name()).setVerdict(verdict(check.verdict()))
                .setUnit(VerdictEncoder.unit(check.unit())).setWords(check.message());
        check.value().ifPresent(written::setValue);
        check.limit().ifPresent(written::setLimit);
        return written.build();
    }

    private static ExceedanceCurve curve(io.redliner.analyzer.search.ExceedanceCurve curve) {
        var written = ExceedanceCurve.newBuilder().setRule(curve.rule()).setAllowedRatio(curve.allowedRatio())
                .setShownPart(curve.shownPart()).setUnfitted(curve.unfitted());
        curve.latencyLimit().ifPresent(written::setLatencyLimit);
        curve.loads().forEach(group -> written.addLoads(LoadGroup.newBuilder()
                .setRequestsPerSecond(group.requestsPerSecond()).setSteps(group.steps())
                .setRequests(Math.round(group.requests())).setExceeding(Math.round(group.exceeding()))
                .setCensored(group.censored())));
        curve.fit().forEach(point -> written.addFit(FittedExceedance.newBuilder()
                .setRequestsPerSecond(point.requestsPerSecond()).setRatio(point.ratio()).setLow(point.low())
                .setHigh(point.high())));
        return written.build();
    }

    private static ValidityVerdict verdict(io.redliner.analyzer.validity.CheckStatus status) {
        return switch (status) {
            case OK -> ValidityVerdict.VALIDITY_VERDICT_OK;
            case DOUBTFUL -> ValidityVerdict.VALIDITY_VERDICT_DOUBTFUL;
            case INVALID -> ValidityVerdict.VALIDITY_VERDICT_INVALID;
            case UNKNOWN -> ValidityVerdict.VALIDITY_VERDICT_UNKNOWN;
        };
    }

    private static Resource resource(io.redliner.analyzer.bottleneck.BottleneckKind kind) {
        return switch (kind) {
            case CPU -> Resource.RESOURCE_CPU;
            case CPU_QUOTA -> Resource.RESOURCE_CPU_QUOTA;
            case MEMORY -> Resource.RESOURCE_MEMORY;
            case GARBAGE_COLLECTION -> Resource.RESOURCE_GARBAGE_COLLECTION;
            case OPERATING_SYSTEM_PAUSES -> Resource.RESOURCE_OPERATING_SYSTEM_PAUSES;
            case LOCK_CONTENTION -> Resource.RESOURCE_LOCK_CONTENTION;
            case THREAD_OR_CONNECTION_POOL -> Resource.RESOURCE_THREAD_OR_CONNECTION_POOL;
            case NETWORK_BANDWIDTH -> Resource.RESOURCE_NETWORK_BANDWIDTH;
            case DISK -> Resource.RESOURCE_DISK;
            case SLOW_CLIENT -> Resource.RESOURCE_SLOW_CLIENT;
            case SLOW_NETWORK -> Resource.RESOURCE_SLOW_NETWORK;
            case DOWNSTREAM_SERVICE -> Resource.RESOURCE_DOWNSTREAM_SERVICE;
            case OWN_DEPENDENCIES -> Resource.RESOURCE_OWN_DEPENDENCIES;
            case NONE_REACHED -> Resource.RESOURCE_NONE_REACHED;
            case UNKNOWN -> Resource.RESOURCE_UNKNOWN;
        };
    }
}
