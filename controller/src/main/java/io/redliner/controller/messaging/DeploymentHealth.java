// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.messaging;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when nobody reads deployments. */
final class DeploymentHealth implements HealthIndicator {

    private final DeploymentInbox inbox;

    DeploymentHealth(DeploymentInbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public Health health() {
        return (inbox.isRunning() ? Health.up() : Health.down()).build();
    }
}
