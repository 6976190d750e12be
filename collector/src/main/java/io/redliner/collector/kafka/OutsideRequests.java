// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.ClosedWindow;

/** Counts requests that no lease speaks of, by service; a service without any has no counter. */
final class OutsideRequests {

    private final MeterRegistry registry;

    OutsideRequests(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(ClosedWindow window) {
        if (window.outside() > 0) {
            Counter.builder("redliner.outside.requests").tag("service", window.service())
                    .description("Requests that started and that the lease in force did not speak of")
                    .register(registry).increment((double) window.outside());
        }
    }
}
