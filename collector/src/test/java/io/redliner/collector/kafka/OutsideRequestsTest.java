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

class OutsideRequestsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void are_counted_by_service_and_a_service_without_any_has_no_counter() {
        OutsideRequests outside = new OutsideRequests(registry);

        outside.count(window("shop", 3));
        outside.count(window("shop", 4));
        outside.count(window("other", 0));

        assertThat(registry.get("redliner.outside.requests").tag("service", "shop").counter().count()).isEqualTo(7);
        assertThat(registry.find("redliner.outside.requests").tag("service", "other").counter()).isNull();
    }

    private static ClosedWindow window(String service, long outside) {
        return new ClosedWindow(new InstanceId(service, "10.0.0.1:80"), 1, Instant.EPOCH, Duration.ofSeconds(1),
                new RequestCounts(10, outside, 10, 10, Map.of(), Map.of(), Optional.empty(), Optional.empty(),
                        Optional.empty(), 0, Optional.empty(), 0, 0, 0, 0,
                        List.of()),
                Map.of(), 1, 0, Set.of());
    }
}
