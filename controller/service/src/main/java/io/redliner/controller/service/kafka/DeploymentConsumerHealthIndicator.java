// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when the reader of deployments is dead. While the database is away it only does not read. */
final class DeploymentConsumerHealthIndicator implements HealthIndicator {

    private final DeploymentConsumer consumer;

    DeploymentConsumerHealthIndicator(DeploymentConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public Health health() {
        Health.Builder health = consumer.isRunning() ? Health.up() : Health.down();
        String broken = consumer.broken();
        if (broken != null) {
            health.withDetail("deploymentsDiedOf", broken);
        }
        return health.withDetail("reading", consumer.reading()).build();
    }
}
