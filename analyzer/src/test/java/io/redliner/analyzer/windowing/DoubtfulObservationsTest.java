// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import static io.redliner.analyzer.windowing.Observations.requests;
import static io.redliner.analyzer.windowing.Observations.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoubtfulObservationsTest {

    private final ServiceWindowAggregator windows = new ServiceWindowAggregator(Duration.ofSeconds(1),
            Duration.ofMillis(500));

    @Test
    void an_instance_of_which_there_are_gauges_alone_was_not_seen() {
        windows.add(observation("proxies", 1, "a:1", 10), at(11_000));
        windows.add(new InstanceObservation("agent", 1, "a:1", 10_000, new InstanceMeasurements(gauges(), 0), 0, "",
                List.of()), at(11_000));
        windows.add(new InstanceObservation("agent", 2, "b:1", 10_000, new InstanceMeasurements(gauges(), 0), 0, "",
                List.of()), at(11_000));

        assertThat(windows.close(at(11_500))).singleElement().satisfies(window -> {
            assertThat(window.instances()).containsOnlyKeys("a:1");
            assertThat(window.instances().values()).singleElement().satisfies(seen -> {
                assertThat(seen.measured().started()).isEqualTo(100);
                assertThat(seen.measured().gauges()).containsEntry("cpu", 0.5);
            });
        });
    }

    @Test
    void a_window_that_a_collector_doubts_itself_is_not_whole() {
        windows.add(
                new InstanceObservation("c", 1, "a:1", 10_000, new InstanceMeasurements(requests(100, 10), 0), 1,
                        "could not measure well", List.of()),
                at(11_000));

        assertThat(windows.close(at(11_500))).singleElement().satisfies(window -> {
            assertThat(window.whole()).isFalse();
            assertThat(window.incomplete()).contains("collector c could not measure well");
        });
    }

    @Test
    void an_agent_that_doubts_itself_loses_its_gauges_and_not_the_window() {
        windows.add(observation("proxies", 1, "a:1", 10), at(11_000));
        windows.add(
                new InstanceObservation("agent", 1, "a:1", 10_000, new InstanceMeasurements(gauges(), 0), 0,
                        "could not measure well", List.of()),
                at(11_000));

        assertThat(windows.close(at(11_500))).singleElement().satisfies(window -> {
            assertThat(window.whole()).isTrue();
            assertThat(window.instances().values()).singleElement()
                    .satisfies(seen -> assertThat(seen.measured().gauges()).isEmpty());
        });
    }

    @Test
    void an_instance_that_was_watched_and_of_which_there_are_gauges_alone_now_is_missing() {
        windows.add(observation("c", 1, "a:1", 10), at(11_000));
        windows.add(observation("c", 2, "b:1", 10), at(11_000));
        windows.close(at(11_500));
        windows.add(observation("c", 3, "a:1", 11), at(12_000));
        windows.add(
                new InstanceObservation("c", 4, "b:1", 11_000, new InstanceMeasurements(gauges(), 0), 0, "", List.of()),
                at(12_000));

        assertThat(windows.close(at(12_500))).singleElement().satisfies(window -> {
            assertThat(window.instances()).containsOnlyKeys("a:1");
            assertThat(window.missing()).containsEntry("b:1", "c");
        });
    }

    private static WindowStats gauges() {
        return new WindowStats(Duration.ofSeconds(1), 0, 0, 0, 0, requests(0, 1).latency(), List.of(),
                Map.of("cpu", 0.5));
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
