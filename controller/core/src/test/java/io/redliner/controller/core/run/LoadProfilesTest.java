// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.LoadProfile.Signal;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadProfilesTest {

    private final List<JudgedWindow> windows = new ArrayList<>();

    private static RuleResult rule(String name, double allowed, long exceeding) {
        return new RuleResult(name, name + " expression", Judgement.HOLDS, null, null, null, "seconds", false, "",
                new RuleCounts(1_000, exceeding, allowed));
    }

    private void windows(int count, RunPhase phase, Judgement judgement, double latency) {
        for (int window = 0; window < count; window++) {
            TrafficSample sut = new TrafficSample(1_000, 1_000, 0, 5, latency, 3 * latency, new Share(100_000), 1_000L,
                    List.of(new GaugeSample("cpu", 0.5, "ratio"), new GaugeSample("memory", 0.2, "ratio")));
            windows.add(new JudgedWindow(phase.wireName(), new Share(100_000),
                    new WindowVerdict("run", 1, windows.size() + 1, Instant.EPOCH.plusSeconds(windows.size()),
                            Duration.ofSeconds(1), judgement,
                            List.of(rule("errors", 0.001, 0), rule("latency", 0.01, 2)),
                            List.of(),
                            new SearchAdvice(SearchAdvice.Action.HOLD, 1_000, SearchAdvice.Phase.RAMPING, "hold", 1),
                            sut, TrafficSample.NONE, 10_000, 0, null)));
        }
    }

    @Test
    void has_the_latency_the_cpu_and_the_counts_of_the_limiting_rule() {
        windows(20, RunPhase.RAMPING, Judgement.HOLDS, 0.01);

        LoadProfile profile = LoadProfiles.of("latency", windows).orElseThrow();

        assertThat(profile.rule()).isEqualTo(LoadProfile.key("latency", 0.01));
        assertThat(profile.points()).singleElement().satisfies(point -> {
            assertThat(point.exceeding()).isEqualTo(40);
            assertThat(point.levels()).containsOnlyKeys(Signal.LATENCY_P50, Signal.LATENCY_P99, Signal.CPU);
            assertThat(Math.exp(point.level(Signal.CPU).orElseThrow().mean())).isCloseTo(0.5, within(1e-9));
        });
    }

    @Test
    void leaves_out_inconclusive_windows_and_those_outside_of_the_search() {
        windows(20, RunPhase.BASELINE, Judgement.HOLDS, 0.01);
        windows(20, RunPhase.CONFIRMING, Judgement.INCONCLUSIVE, 0.5);
        windows(20, RunPhase.RESTORING, Judgement.HOLDS, 0.5);
        windows(20, RunPhase.PAUSED, Judgement.HOLDS, 0.5);

        assertThat(LoadProfiles.of("latency", windows).orElseThrow().points()).singleElement()
                .satisfies(point -> assertThat(point.requests()).isEqualTo(20_000));
    }

    @Test
    void a_run_without_its_windows_has_none() {
        assertThat(LoadProfiles.of("latency", windows)).isEmpty();
    }
}
