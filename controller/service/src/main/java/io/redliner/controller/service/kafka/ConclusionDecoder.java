// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.v1.Finding;
import io.redliner.contract.v1.Resource;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import org.jspecify.annotations.Nullable;

/** Reads what a verdict that ends the search says beside it. */
final class ConclusionDecoder {

    private static final String PREFIX = "RESOURCE_";

    private ConclusionDecoder() {}

    /** Absent when nothing is said. */
    static @Nullable SearchConclusion read(Verdict verdict) {
        return verdict.getBottleneckCount() == 0 && verdict.getValidityCount() == 0
                ? null
                : new SearchConclusion(verdict.getBottleneckList().stream().map(ConclusionDecoder::finding).toList(),
                        verdict.getValidityList().stream().map(ConclusionDecoder::check).toList());
    }

    private static SearchConclusion.Finding finding(Finding finding) {
        return new SearchConclusion.Finding(resource(finding.getResource()),
                Double.isFinite(finding.getStrength()) ? Math.clamp(finding.getStrength(), 0, 1) : 0,
                TextSanitizer.of(finding.getWords()),
                finding.getFiguresList().stream().filter(figure -> Double.isFinite(figure.getValue()))
                        .map(figure -> new SearchConclusion.Figure(TextSanitizer.of(figure.getName()),
                                figure.getValue(),
                                VerdictDecoder.unit(figure.getUnit())))
                        .toList());
    }

    private static String resource(Resource resource) {
        return switch (resource) {
            case RESOURCE_UNSPECIFIED, UNRECOGNIZED -> "UNKNOWN";
            case RESOURCE_CPU, RESOURCE_CPU_QUOTA, RESOURCE_MEMORY, RESOURCE_GARBAGE_COLLECTION,
                    RESOURCE_OPERATING_SYSTEM_PAUSES, RESOURCE_LOCK_CONTENTION, RESOURCE_THREAD_OR_CONNECTION_POOL,
                    RESOURCE_NETWORK_BANDWIDTH, RESOURCE_DISK, RESOURCE_SLOW_CLIENT, RESOURCE_SLOW_NETWORK,
                    RESOURCE_DOWNSTREAM_SERVICE, RESOURCE_OWN_DEPENDENCIES, RESOURCE_NONE_REACHED, RESOURCE_UNKNOWN ->
                resource.name().substring(PREFIX.length());
        };
    }

    private static SearchConclusion.ValidityCheck check(ValidityCheck check) {
        Validity verdict = switch (check.getVerdict()) {
            case VALIDITY_VERDICT_OK -> Validity.OK;
            case VALIDITY_VERDICT_DOUBTFUL -> Validity.DOUBTFUL;
            case VALIDITY_VERDICT_INVALID -> Validity.INVALID;
            case VALIDITY_VERDICT_UNKNOWN, VALIDITY_VERDICT_UNSPECIFIED, UNRECOGNIZED -> Validity.UNKNOWN;
        };
        return new SearchConclusion.ValidityCheck(TextSanitizer.of(check.getName()), verdict,
                check.hasValue() ? VerdictDecoder.known(check.getValue()) : null,
                check.hasLimit() ? VerdictDecoder.known(check.getLimit()) : null, VerdictDecoder.unit(check.getUnit()),
                TextSanitizer.of(check.getWords()));
    }
}
