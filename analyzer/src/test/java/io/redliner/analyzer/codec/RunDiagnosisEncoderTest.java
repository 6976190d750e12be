// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.bottleneck.BottleneckAnalyzer;
import io.redliner.analyzer.bottleneck.BottleneckKind;
import io.redliner.analyzer.run.RunDiagnosis;
import io.redliner.analyzer.runstats.World;
import io.redliner.analyzer.search.ExceedanceCurve;
import io.redliner.analyzer.validity.ValidityChecks;
import io.redliner.analyzer.validity.ValidityChecksTest;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.ValidityVerdict;
import io.redliner.contract.v1.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunDiagnosisEncoderTest {

    @Test
    void findings_and_checks_are_reported_with_their_figures() {
        var verdict = written(1);

        assertThat(verdict.getBottleneck(0).getResource()).isEqualTo(io.redliner.contract.v1.Resource.RESOURCE_CPU);
        assertThat(verdict.getBottleneck(0).getFiguresList()).anySatisfy(figure -> {
            assertThat(figure.getName()).isEqualTo("cpu");
            assertThat(figure.getUnit()).isEqualTo(Unit.UNIT_RATIO);
            assertThat(figure.getValue()).isBetween(0.9, 1.0);
        });
        assertThat(verdict.getValidity(0).getName()).isEqualTo("littles-law");
        assertThat(verdict.getValidity(0).hasValue()).isTrue();
        assertThat(verdict.getValidityList()).extracting(check -> check.getVerdict())
                .contains(ValidityVerdict.VALIDITY_VERDICT_OK, ValidityVerdict.VALIDITY_VERDICT_UNKNOWN);
        assertThat(verdict.getValidityList()).filteredOn(check -> check.getName().equals("proxy"))
                .allMatch(check -> !check.hasValue());
    }

    @Test
    void the_same_run_gives_the_same_bytes() {
        assertThat(written(7).toByteArray()).isEqualTo(written(7).toByteArray());
    }

    @ParameterizedTest
    @EnumSource(BottleneckKind.class)
    void every_resource_has_its_own_word(BottleneckKind resource) {
        var verdict = Verdict.newBuilder();

        RunDiagnosisEncoder.write(new RunDiagnosis(
                List.of(new io.redliner.analyzer.bottleneck.BottleneckFinding(resource, 0.5, "words", List.of())),
                List.of(), Optional.empty()),
                verdict);

        assertThat(verdict.getBottleneck(0).getResource().name()).isEqualTo("RESOURCE_" + resource.name());
    }

    @Test
    void the_curve_is_reported_and_a_search_without_one_reports_none() {
        var verdict = Verdict.newBuilder();

        RunDiagnosisEncoder.write(new RunDiagnosis(List.of(), List.of(), Optional.of(new ExceedanceCurve("latency",
                OptionalDouble.of(0.4), 0.01, List.of(new ExceedanceCurve.LoadGroup(270, 3, 4_860.4, 40.6, true)),
                List.of(new ExceedanceCurve.FittedPoint(273, 0.01, 0.006, 0.02)), 0.7, ""))), verdict);

        var curve = verdict.getExceedances();
        assertThat(curve.getLatencyLimit()).isEqualTo(0.4);
        assertThat(curve.getLoads(0).getRequests()).isEqualTo(4_860);
        assertThat(curve.getLoads(0).getExceeding()).isEqualTo(41);
        assertThat(curve.getLoads(0).getCensored()).isTrue();
        assertThat(curve.getFit(0).getHigh()).isEqualTo(0.02);
        assertThat(curve.getShownPart()).isEqualTo(0.7);
        assertThat(written(1).hasExceedances()).isFalse();
    }

    private static Verdict written(long seed) {
        var evidence = new World(seed).gauges(load -> Map.of("cpu", load / World.FULL)).run();
        var verdict = Verdict.newBuilder();
        RunDiagnosisEncoder.write(
                new RunDiagnosis(BottleneckAnalyzer.of(evidence, true),
                        ValidityChecks.of(evidence, ValidityChecksTest.QUIET, World.SUT), Optional.empty()),
                verdict);
        return verdict.build();
    }
}
