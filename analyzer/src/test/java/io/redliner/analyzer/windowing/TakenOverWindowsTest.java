// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import static io.redliner.analyzer.windowing.Observations.requests;
import static io.redliner.analyzer.windowing.Observations.observation;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows that go on elsewhere, from the state and the observations of open windows. */
class TakenOverWindowsTest {

    private final ServiceWindowAggregator windows = ofSeconds();

    private static ServiceWindowAggregator ofSeconds() {
        return new ServiceWindowAggregator(Duration.ofSeconds(1), Duration.ofMillis(500));
    }

    @BeforeEach
    void one_window_is_judged() {
        windows.add(observation("c", 1, "a:1", 10), at(11_000));
        windows.add(observation("c", 2, "b:1", 10), at(11_000));
        assertThat(windows.close(at(11_500))).hasSize(1);
    }

    private ServiceWindowAggregator takenOver() {
        var others = ofSeconds();
        others.resume(windows.state());
        return others;
    }

    @Test
    void go_on_as_if_nothing_had_happened() {
        var open = observation("c", 3, "a:1", 11);
        windows.add(open, at(12_100));
        var others = takenOver();

        others.add(open, at(12_100));

        assertThat(others.state()).isEqualTo(windows.state());
        assertThat(others.close(at(12_500))).isEqualTo(windows.close(at(12_500))).singleElement()
                .satisfies(window -> assertThat(window.missing()).containsEntry("b:1", "c"));
    }

    @Test
    void who_goes_on_with_gauges_alone_is_missed() {
        var others = takenOver();

        others.add(new InstanceObservation("c", 3, "a:1", 11_000, new InstanceMeasurements(requests(0, 0), 0), 0, "",
                List.of()), at(12_100));
        others.add(observation("c", 4, "b:1", 11), at(12_100));

        assertThat(others.close(at(12_500))).singleElement()
                .satisfies(window -> assertThat(window.missing()).containsEntry("a:1", "c"));
    }

    @Test
    void what_was_missing_by_its_clock_is_missing_still() {
        windows.add(observation("ahead", 1, "a:1", 3_611), at(12_000));
        var others = takenOver();

        others.add(observation("c", 3, "a:1", 11), at(12_100));
        others.add(observation("c", 4, "b:1", 11), at(12_100));

        assertThat(others.close(at(12_100))).singleElement().satisfies(window -> assertThat(window.incomplete())
                .hasValueSatisfying(words -> assertThat(words).contains("collector ahead reports a:1")));
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
