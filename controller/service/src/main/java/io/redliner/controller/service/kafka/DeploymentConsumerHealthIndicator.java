// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when the reader of deployments is dead. While the database is away it only does not read. */
final class DeploymentConsumerHealthIndicator implements HealthIndicator {

    private final DeploymentConsumer inbox;

    DeploymentConsumerHealthIndicator(DeploymentConsumer inbox) {
        this.inbox = inbox;
    }

    @Override
    public Health health() {
        Health.Builder health = inbox.isRunning() ? Health.up() : Health.down();
        String broken = inbox.broken();
        if (broken != null) {
            health.withDetail("deploymentsDiedOf", broken);
        }
        return health.withDetail("reading", inbox.reading()).build();
    }
}
