// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when the worker is dead. A receiver that takes nothing is no fault of the controller's; it is named in the details. */
final class NotificationHealthIndicator implements HealthIndicator {

    private final NotificationWorker worker;

    NotificationHealthIndicator(NotificationWorker worker) {
        this.worker = worker;
    }

    @Override
    public Health health() {
        Health.Builder health = worker.alive() ? Health.up() : Health.down();
        String broken = worker.broken();
        if (broken != null) {
            health.withDetail("notifierDiedOf", broken);
        }
        return health.withDetail("notifier", worker.alive())
                .withDetail("working", worker.working())
                .withDetail("waiting", worker.counts().waiting())
                .withDetail("dead", worker.counts().dead())
                .withDetail("unreached", worker.unreached())
                .build();
    }
}
