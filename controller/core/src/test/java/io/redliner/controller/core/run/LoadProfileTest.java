// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.core.run.LoadProfile.Point;
import io.redliner.controller.core.run.LoadProfile.Signal;
import io.redliner.controller.core.run.LoadProfile.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoadProfileTest {

    private final List<Window> windows = new ArrayList<>();

    private void windows(int count, double load, double share, double latency, @Nullable Double peers) {
        for (int window = 0; window < count; window++) {
            windows.add(new Window(load, 1, share, Map.of(Signal.LATENCY_P50, latency),
                    new RuleCounts(Math.round(load), Math.round(load / 1_000), 0.01), peers));
        }
    }

    private LoadProfile profile() {
        return LoadProfile.of("latency 0.01", windows).orElseThrow();
    }

    private static double latency(Point point) {
        return Math.exp(point.level(Signal.LATENCY_P50).orElseThrow().mean());
    }

    @Test
    void has_a_point_for_each_load_with_what_was_measured_there() {
        windows(20, 1_000, 0.1, 0.01, null);
        windows(20, 2_000, 0.2, 0.02, null);

        assertThat(profile().points()).hasSize(2);
        assertThat(profile().points().getLast().requestsPerSecond()).isCloseTo(2_000, within(1e-6));
        assertThat(profile().points().getLast().requests()).isEqualTo(40_000);
        assertThat(profile().points().getLast().exceeding()).isEqualTo(40);
        assertThat(latency(profile().points().getLast())).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void leaves_out_windows_in_which_the_peers_were_slow_too() {
        windows(20, 1_000, 0.1, 0.01, 0.01);
        windows(6, 1_000, 0.1, 0.05, 0.03);

        assertThat(latency(profile().points().getFirst())).isCloseTo(0.01, within(1e-9));
    }

    @Test
    void leaves_out_the_queue_that_is_worked_off_after_load_was_shed() {
        windows(20, 1_000, 0.1, 0.01, null);
        windows(20, 2_000, 0.2, 0.02, null);
        windows(4, 1_000, 0.1, 0.5, null);
        windows(20, 2_000, 0.2, 0.02, null);

        assertThat(latency(profile().points().getFirst())).isCloseTo(0.01, within(1e-9));
    }

    @Test
    void keeps_a_lower_load_that_lasts() {
        windows(20, 2_000, 0.2, 0.02, null);
        windows(30, 1_000, 0.1, 0.01, null);

        assertThat(latency(profile().points().getFirst())).isCloseTo(0.01, within(1e-9));
    }

    @Test
    void keeps_the_lowest_and_the_highest_of_many_loads() {
        for (double load = 1_000; load < 30_000; load *= 1.03) {
            windows(4, load, load / 60_000, 0.01, null);
        }

        assertThat(profile().points().size()).isBetween(30, LoadProfile.MAX_POINTS);
        assertThat(profile().points().getFirst().requestsPerSecond()).isCloseTo(1_000, within(60.0));
        assertThat(profile().points().getLast().requestsPerSecond()).isCloseTo(29_500, within(1_500.0));
    }

    @Test
    void is_not_made_of_a_few_windows() {
        windows(7, 1_000, 0.1, 0.01, null);

        assertThat(LoadProfile.of("", windows)).isEmpty();
        assertThatThrownBy(() -> new LoadProfile("", List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void late_requests_that_come_together_are_dispersed() {
        for (int block = 0; block < 20; block++) {
            windows(2, 1_000, 0.1, 0.01, null);
            windows.set(windows.size() - 1, new Window(1_000, 1, 0.1, Map.of(Signal.LATENCY_P50, 0.01),
                    new RuleCounts(1_000, block % 10 == 0 ? 300 : 0, 0.01), null));
        }

        assertThat(profile().points().getFirst().dispersion()).isGreaterThan(100);
    }

    @Test
    void a_level_is_known_less_well_where_it_scatters_more() {
        for (int block = 0; block < 20; block++) {
            windows(2, 1_000, 0.1, 0.01, null);
        }
        for (int block = 0; block < 20; block++) {
            windows(2, 2_000, 0.2, block % 3 == 0 ? 0.03 : 0.015, null);
        }

        assertThat(profile().points().getLast().level(Signal.LATENCY_P50).orElseThrow().error())
                .isGreaterThan(3 * profile().points().getFirst().level(Signal.LATENCY_P50).orElseThrow().error());
    }
}
