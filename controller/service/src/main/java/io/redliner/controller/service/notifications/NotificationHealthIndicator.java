// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when the worker is dead. A receiver that takes nothing is no fault of the controller's; it is named in the details. */
final class NotificationHealthIndicator implements HealthIndicator {

    private final NotificationWorker notifier;

    NotificationHealthIndicator(NotificationWorker notifier) {
        this.notifier = notifier;
    }

    @Override
    public Health health() {
        Health.Builder health = notifier.alive() ? Health.up() : Health.down();
        String broken = notifier.broken();
        if (broken != null) {
            health.withDetail("notifierDiedOf", broken);
        }
        return health.withDetail("notifier", notifier.alive())
                .withDetail("working", notifier.working())
                .withDetail("waiting", notifier.counts().waiting())
                .withDetail("dead", notifier.counts().dead())
                .withDetail("unreached", notifier.unreached())
                .build();
    }
}
