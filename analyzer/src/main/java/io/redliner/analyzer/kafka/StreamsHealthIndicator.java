// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import org.apache.kafka.streams.KafkaStreams;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up while windows are judged; out of service while Kafka assigns the work; down when the threads are dead. */
final class StreamsHealthIndicator implements HealthIndicator {

    private final StreamsLifecycle lifecycle;

    StreamsHealthIndicator(StreamsLifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    public Health health() {
        var state = lifecycle.state().orElse(KafkaStreams.State.NOT_RUNNING);
        var health = switch (state) {
            case RUNNING -> Health.up();
            case CREATED, REBALANCING -> Health.outOfService();
            case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR -> Health.down();
        };
        return health.withDetail("state", state).build();
    }
}
