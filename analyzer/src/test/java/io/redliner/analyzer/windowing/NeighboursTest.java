// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import static io.redliner.analyzer.windowing.Observations.observation;
import static io.redliner.analyzer.windowing.Observations.requests;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeighboursTest {

    private final ServiceWindowAggregator windows = new ServiceWindowAggregator(Duration.ofSeconds(1),
            Duration.ofMillis(500));

    @Test
    void instances_are_neighbours_where_a_collector_names_the_same_host_for_both() {
        windows.add(observation("c", 1, "a:1", 10), Instant.ofEpochMilli(11_000));
        windows.add(observation("c", 2, "b:1", 10), Instant.ofEpochMilli(11_000));
        windows.add(observation("c", 3, "c:1", 10), Instant.ofEpochMilli(11_000));
        windows.add(observation("c", 4, "d:1", 10), Instant.ofEpochMilli(11_000));
        windows.add(onHost("agent", 1, "a:1", "web-1"), Instant.ofEpochMilli(11_000));
        windows.add(onHost("agent", 2, "b:1", "web-1"), Instant.ofEpochMilli(11_000));
        windows.add(onHost("other", 1, "d:1", "web-2"), Instant.ofEpochMilli(11_000));

        var window = windows.close(Instant.ofEpochMilli(11_500)).getFirst();

        assertThat(window.neighboursOf("a:1")).containsExactly("b:1");
        assertThat(window.neighboursOf("c:1")).as("unknown is not elsewhere").isEmpty();
        assertThat(window.neighboursOf("d:1")).isEmpty();
        assertThat(window.neighboursOf("gone:1")).isEmpty();
    }

    @Test
    void names_of_two_kinds_are_of_one_host_where_an_instance_has_both() {
        for (String instance : List.of("a:1", "b:1", "c:1", "d:1", "e:1")) {
            windows.add(observation("c-" + instance, 1, instance, 10), Instant.ofEpochMilli(11_000));
        }
        windows.add(onHost("agent", 1, "a:1", "boot-1"), Instant.ofEpochMilli(11_000));
        windows.add(onHost("agent", 2, "b:1", "boot-1", "node-1"), Instant.ofEpochMilli(11_000));
        windows.add(onHost("edge", 1, "c:1", "node-1"), Instant.ofEpochMilli(11_000));
        windows.add(onHost("edge", 2, "d:1", "node-2"), Instant.ofEpochMilli(11_000));

        var window = windows.close(Instant.ofEpochMilli(11_500)).getFirst();

        assertThat(window.neighboursOf("a:1")).containsExactly("b:1", "c:1");
        assertThat(window.neighboursOf("c:1")).containsExactly("a:1", "b:1");
        assertThat(window.neighboursOf("d:1")).isEmpty();
        assertThat(window.neighboursOf("e:1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1:80,10.0.0.1:81,true", "10.0.0.1:80,10.0.0.2:80,false", "127.0.0.1:80,127.0.0.1:81,false",
        "[fd00::1]:80,[fd00::1]:81,true", "[::1]:80,[::1]:81,false",
        "[0:0:0:0:0:0:0:1]:80,[0:0:0:0:0:0:0:1]:81,false", "[::ffff:127.0.0.1]:80,[::ffff:127.0.0.1]:81,false",
        "[::FFFF:7f00:1]:80,[::FFFF:7f00:1]:81,false", "[::ffff:10.0.0.1]:80,[::ffff:10.0.0.1]:81,true",
        "a:1,a:2,false"})
    void instances_with_the_same_address_are_neighbours_unless_it_may_be_any_hosts(String one, String other,
            boolean neighbours) {
        windows.add(observation("c", 1, one, 10), Instant.ofEpochMilli(11_000));
        windows.add(observation("c", 2, other, 10), Instant.ofEpochMilli(11_000));

        assertThat(windows.close(Instant.ofEpochMilli(11_500)).getFirst().neighboursOf(one).contains(other))
                .isEqualTo(neighbours);
    }

    private static InstanceObservation onHost(String collector, long sequence, String instance, String... hosts) {
        return new InstanceObservation(collector, sequence, instance, 10_000,
                new InstanceMeasurements(requests(0, 0), 0, 0, List.of(), List.of(), Set.of(hosts)), 0, "", List.of());
    }
}
