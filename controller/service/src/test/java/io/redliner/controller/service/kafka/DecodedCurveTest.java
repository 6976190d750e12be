// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.ExceedanceCurve;
import io.redliner.contract.v1.FittedExceedance;
import io.redliner.contract.v1.LoadGroup;
import io.redliner.contract.v1.ValidityCheck;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.SearchConclusion;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecodedCurveTest {

    private static final LoadGroup LOAD = LoadGroup.newBuilder().setRequestsPerSecond(270).setSteps(3)
            .setRequests(4_860)
            .setExceeding(41).setCensored(true).build();

    private static final FittedExceedance POINT = FittedExceedance.newBuilder().setRequestsPerSecond(273).setRatio(0.01)
            .setLow(0.006).setHigh(0.02).build();

    private static @Nullable SearchConclusion conclusion(Verdict.Builder verdict) {
        return VerdictDecoder.read(verdict.setWindowLengthMs(1_000).setWindowStartMs(1_790_000_000_000L).build())
                .conclusion();
    }

    private static io.redliner.controller.core.run.@Nullable ExceedanceCurve curve(ExceedanceCurve.Builder curve) {
        return Objects.requireNonNull(conclusion(Verdict.newBuilder()
                .addValidity(ValidityCheck.newBuilder().setName("load")).setExceedances(curve))).exceedances();
    }

    @Test
    void a_curve_is_read_and_survives_the_journal() {
        var curve = Objects.requireNonNull(curve(ExceedanceCurve.newBuilder().setRule("latency").setLatencyLimit(0.4)
                .setAllowedRatio(0.01).addLoads(LOAD).addFit(POINT).setShownPart(0.7)));

        assertThat(curve).isEqualTo(new io.redliner.controller.core.run.ExceedanceCurve("latency", 0.4, 0.01,
                List.of(new io.redliner.controller.core.run.ExceedanceCurve.LoadGroup(270, 3, 4_860, 41, true)),
                List.of(
                        new io.redliner.controller.core.run.ExceedanceCurve.FittedPoint(273, 0.01, 0.006, 0.02)),
                0.7, ""));
        var json = new RunJsonMapper();
        var conclusion = new SearchConclusion(List.of(), List.of(), curve);
        assertThat(json.read(json.write(conclusion), SearchConclusion.class)).isEqualTo(conclusion);
    }

    @Test
    void an_analyzer_that_sends_none_and_a_journal_without_one_have_no_curve() {
        assertThat(Objects.requireNonNull(conclusion(Verdict.newBuilder()
                .addValidity(ValidityCheck.newBuilder().setName("load")))).exceedances()).isNull();
        assertThat(
                new RunJsonMapper().read("{\"bottleneck\":[],\"validity\":[]}", SearchConclusion.class).exceedances())
                .isNull();
        assertThat(conclusion(Verdict.newBuilder().setExceedances(ExceedanceCurve.newBuilder().setRule("latency"))))
                .as("a curve is no check of a run").isNull();
    }

    @Test
    void impossible_points_are_left_out_and_no_curve_fills_the_journal() {
        var curve = ExceedanceCurve.newBuilder().setRule("latency\u001b").setLatencyLimit(Double.NaN)
                .setAllowedRatio(Double.POSITIVE_INFINITY).setShownPart(-1)
                .addLoads(LOAD.toBuilder().setRequestsPerSecond(-1)).addLoads(LOAD.toBuilder().setExceeding(4_861))
                .addLoads(LOAD.toBuilder().setRequests(0).setExceeding(0))
                .addFit(POINT.toBuilder().setRatio(Double.NaN)).addFit(POINT.toBuilder().setLow(0.5))
                .addFit(POINT.toBuilder().setHigh(7));
        for (int i = 0; i < 1_000; i++) {
            curve.addLoads(LOAD);
        }

        var read = Objects.requireNonNull(curve(curve));

        assertThat(read.rule()).doesNotContain("\u001b");
        assertThat(read.latencyLimitSeconds()).isNull();
        assertThat(read.allowedRatio()).isZero();
        assertThat(read.shownPart()).isEqualTo(1);
        assertThat(read.loads()).hasSize(64);
        assertThat(read.fit()).singleElement().satisfies(point -> assertThat(point.high()).isEqualTo(1));
    }
}
