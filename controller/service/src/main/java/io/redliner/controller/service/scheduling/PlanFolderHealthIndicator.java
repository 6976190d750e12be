// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when nobody watches the plan folder. A mistake in a file is said with its line and column, and is no illness of the controller. */
final class PlanFolderHealthIndicator implements HealthIndicator {

    private static final int MOST = 20;

    private final PlanFolderPoller folder;

    PlanFolderHealthIndicator(PlanFolderPoller folder) {
        this.folder = folder;
    }

    @Override
    public Health health() {
        PlanFolderStatus status = folder.status();
        Health.Builder health = folder.dead() ? Health.down() : Health.up();
        if (!status.problems().isEmpty()) {
            health.withDetail("problems",
                    status.problems().stream().limit(MOST).map(PlanFolderProblem::toString).toList());
        }
        return health.build();
    }
}
