// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.v1.ExceedanceCurve;
import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.Finding;
import io.redliner.contract.v1.FittedExceedance;
import io.redliner.contract.v1.LoadGroup;
import io.redliner.contract.v1.Resource;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.ValidityVerdict;
import io.redliner.contract.v1.Verdict;
import java.util.List;

/** The findings, the checks and the curve that an analyzer reports at the end of its search. */
final class ReportedConclusion {

    private ReportedConclusion() {}

    /**
     * A verdict that has nothing else.
     *
     * @param invalid whether a check makes the result invalid
     * @param unmeasured whether a check could not be made
     */
    static Verdict of(boolean invalid, boolean unmeasured) {
        ValidityCheck unknown = ValidityCheck.newBuilder().setName("proxy").setUnit(Unit.UNIT_RATIO)
                .setVerdict(ValidityVerdict.VALIDITY_VERDICT_UNKNOWN).setWords("not measured").build();
        ValidityCheck littlesLaw = ValidityCheck.newBuilder().setName("littles-law").setValue(0.2).setLimit(0.03)
                .setUnit(Unit.UNIT_RATIO)
                .setVerdict(invalid
                        ? ValidityVerdict.VALIDITY_VERDICT_INVALID
                        : ValidityVerdict.VALIDITY_VERDICT_OK)
                .setWords("20 % apart").build();
        return Verdict.newBuilder()
                .addBottleneck(Finding.newBuilder().setResource(Resource.RESOURCE_CPU).setStrength(0.9)
                        .setWords("the CPU was full")
                        .addFigures(Figure.newBuilder().setName("cpu").setValue(0.94).setUnit(Unit.UNIT_RATIO)))
                .addAllValidity(unmeasured ? List.of(littlesLaw, unknown) : List.of(littlesLaw))
                .setExceedances(ExceedanceCurve.newBuilder().setRule("latency").setLatencyLimit(0.1)
                        .setAllowedRatio(0.01).setShownPart(0.7)
                        .addLoads(LoadGroup.newBuilder().setRequestsPerSecond(390).setSteps(4).setRequests(9_000)
                                .setExceeding(70))
                        .addFit(FittedExceedance.newBuilder().setRequestsPerSecond(395).setRatio(0.01).setLow(0.007)
                                .setHigh(0.014)))
                .build();
    }
}
