// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.ClosedWindows;
import org.junit.jupiter.api.Test;

class ObservationMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void requests_that_no_lease_speaks_of_are_counted_by_service_and_a_service_without_any_has_no_counter() {
        ObservationMetrics metrics = new ObservationMetrics(registry);

        metrics.countOutside(ClosedWindows.outside("shop", 3));
        metrics.countOutside(ClosedWindows.outside("shop", 4));
        metrics.countOutside(ClosedWindows.outside("other", 0));

        assertThat(registry.get("redliner.outside.requests").tag("service", "shop").counter().count()).isEqualTo(7);
        assertThat(registry.find("redliner.outside.requests").tag("service", "other").counter()).isNull();
    }
}
