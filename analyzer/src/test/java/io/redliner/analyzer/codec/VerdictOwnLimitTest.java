// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import static io.redliner.analyzer.windowing.Observations.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunAnalyzer;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.OwnLimitEnds;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A limit that RedLiner chose: the verdict says so where no raised share can be why the instance is late. */
class VerdictOwnLimitTest {

    private static InstanceMeasurements seen(OwnLimitEnds... limits) {
        return new InstanceMeasurements(requests(100, 10), 1, 0, List.of(limits), List.of(), Set.of());
    }

    private static OwnLimitEnds timedOut(long ended) {
        return new OwnLimitEnds("OWN_LIMIT_KIND_ROUTE_TIMEOUT", 15_000, ended, 100);
    }

    private static Verdict verdict(Stage stage, InstanceMeasurements sut, InstanceMeasurements... peers) {
        var run = new RunContext("service", "run", 1, stage, new SlaSpec("a:1", List.of(), List.of()),
                Duration.ofSeconds(1), 0.25, 0.6, 0);
        var window = new ServiceWindow(0, Duration.ofSeconds(1),
                Map.of("a:1", sut, "b:1", peers[0], "c:1", peers[peers.length - 1]), Map.of());
        var analysis = RunAnalyzer.begin(run, new BayesianCapacitySearch(SearchSettings.defaults()));
        return VerdictEncoder.write(analysis.next(window, 400), List.of(), Instant.EPOCH);
    }

    @ParameterizedTest
    @EnumSource(value = Stage.class, names = {"WAITING", "BASELINE"})
    void at_the_natural_load_all_instances_count_together(Stage stage) {
        assertThat(verdict(stage, seen(timedOut(40)), seen(timedOut(0)), seen(timedOut(5))).getOwnLimit())
                .isEqualTo(OwnLimit.newBuilder().setKind(OwnLimitKind.OWN_LIMIT_KIND_ROUTE_TIMEOUT).setValue(15_000)
                        .setEnded(45).setRequests(300).build());
    }

    @ParameterizedTest
    @EnumSource(value = Stage.class, names = {"FOLLOWING", "PAUSED"})
    void while_the_share_is_raised_the_suts_late_answers_are_its_own_and_its_peers_are_not(Stage stage) {
        assertThat(verdict(stage, seen(timedOut(100)), seen(timedOut(0))).hasOwnLimit()).isFalse();
        assertThat(verdict(stage, seen(timedOut(100)), seen(timedOut(4)), seen(timedOut(0))).getOwnLimit().getEnded())
                .isEqualTo(4);
    }

    @Test
    void exceptions_do_not_matter_and_of_several_limits_the_one_that_ended_most_does() {
        assertThat(verdict(Stage.BASELINE, seen(timedOut(1)), seen(timedOut(0)), seen(timedOut(1))).hasOwnLimit())
                .isFalse();
        var breaker = new OwnLimitEnds("OWN_LIMIT_KIND_CIRCUIT_BREAKER", 10_000, 60, 100);
        assertThat(verdict(Stage.BASELINE, seen(timedOut(40), breaker), seen()).getOwnLimit().getKind())
                .isEqualTo(OwnLimitKind.OWN_LIMIT_KIND_CIRCUIT_BREAKER);
    }
}
