// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import static io.redliner.analyzer.windowing.Observations.requests;
import static io.redliner.analyzer.windowing.Observations.observation;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProxyStreamCoverageTest {

    private final ServiceWindowAggregator windows = new ServiceWindowAggregator(Duration.ofSeconds(1),
            Duration.ofMillis(500));

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    @Test
    void a_collector_that_dies_is_missed_until_the_others_have_its_proxies() {
        windows.add(watching("c", 1, 2, 10), at(11_000));
        windows.add(watching("d", 1, 2, 10), at(11_000));
        for (long second = 11; second <= 14; second++) {
            windows.add(watching("d", second - 9, second == 11 ? 3 : 4, second), at(second * 1_000 + 1_000));
        }

        assertThat(windows.close(at(15_500))).extracting(ServiceWindow::whole)
                .as("one stream late, the other stream late, then all").containsExactly(true, false, false, true, true);
    }

    @Test
    void a_takeover_forgets_neither_how_many_there_were_nor_who_had_them() {
        windows.add(watching("c", 1, 2, 10), at(11_000));
        windows.add(watching("d", 1, 2, 10), at(11_000));
        windows.add(watching("d", 2, 4, 11), at(12_000));
        assertThat(windows.close(at(12_500))).extracting(ServiceWindow::whole).containsExactly(true, false);
        var others = new ServiceWindowAggregator(Duration.ofSeconds(1), Duration.ofMillis(500));
        others.resume(windows.state());

        others.add(watching("d", 3, 4, 12), at(13_000));

        assertThat(others.close(at(13_500))).extracting(ServiceWindow::whole).containsExactly(true);
    }

    @Test
    void a_collector_that_is_only_late_is_missed() {
        windows.add(watching("c", 1, 2, 10), at(11_000));
        windows.add(watching("d", 1, 2, 10), at(11_000));
        windows.add(watching("d", 2, 2, 11), at(12_000));
        windows.add(watching("d", 3, 2, 12), at(13_000));

        assertThat(windows.close(at(13_500))).extracting(ServiceWindow::whole).containsExactly(true, false, false);
    }

    @Test
    void who_came_while_another_was_missing_is_missed_as_well() {
        windows.add(watching("c", 1, 2, 10), at(11_000));
        windows.add(observation("c", 2, "b:1", 10), at(11_000));
        windows.add(watching("c", 3, 2, 11), at(12_000));
        windows.add(watching("d", 1, 1, 11), at(12_000));
        assertThat(windows.close(at(12_500))).extracting(ServiceWindow::whole).as("b:1 is missing when d comes")
                .containsExactly(true, false);
        windows.add(watching("c", 4, 2, 12), at(13_000));

        assertThat(windows.close(at(13_500))).singleElement().satisfies(
                window -> assertThat(window.missing()).as("c has its own two streams, none of d's").containsKey("a:1"));
    }

    @Test
    void the_first_window_of_another_collector_waits_for_its_grace_for_nobody_knows_what_else_it_reports() {
        windows.add(observation("c", 1, "a:1", 10), at(11_000));
        windows.add(observation("c", 2, "b:1", 10), at(11_000));
        assertThat(windows.close(at(13_500))).as("with c, and two with nobody").hasSize(3);

        windows.add(observation("d", 1, "a:1", 13), at(14_100));
        assertThat(windows.close(at(14_100))).isEmpty();
        windows.add(observation("d", 2, "b:1", 13), at(14_400));

        assertThat(windows.close(at(14_500))).singleElement().satisfies(window -> {
            assertThat(window.instances()).containsOnlyKeys("a:1", "b:1");
            assertThat(window.whole()).isTrue();
        });
        windows.add(observation("d", 3, "a:1", 14), at(15_100));
        windows.add(observation("d", 4, "b:1", 14), at(15_110));
        assertThat(windows.close(at(15_110))).as("now it is known").hasSize(1);
    }

    private static InstanceObservation watching(String collector, long sequence, int streams, long second) {
        return new InstanceObservation(collector, sequence, "a:1", second * 1_000,
                new InstanceMeasurements(requests(100, 10), 1), streams, "", List.of());
    }
}
