// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.ClosedWindow;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.RequestCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObservationMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void requests_that_no_lease_speaks_of_are_counted_by_service_and_a_service_without_any_has_no_counter() {
        ObservationMetrics metrics = new ObservationMetrics(registry);

        metrics.countOutside(window("shop", 3));
        metrics.countOutside(window("shop", 4));
        metrics.countOutside(window("other", 0));

        assertThat(registry.get("redliner.outside.requests").tag("service", "shop").counter().count()).isEqualTo(7);
        assertThat(registry.find("redliner.outside.requests").tag("service", "other").counter()).isNull();
    }

    private static ClosedWindow window(String service, long outside) {
        return new ClosedWindow(new InstanceId(service, "10.0.0.1:80"), 1, Instant.EPOCH, Duration.ofSeconds(1),
                new RequestCounts(10, outside, 10, 10, Map.of(), Optional.empty(), Optional.empty(), 0,
                        Optional.empty(), 0, 0, List.of()),
                Map.of(), 1, 0, false, Set.of(), List.of(), Optional.empty());
    }
}
