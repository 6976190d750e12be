// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports down when the plan folder is not watched. A mistake in a file is shown with its line and column, and is no failure. */
final class PlanFolderHealthIndicator implements HealthIndicator {

    private static final int MAX_PROBLEMS = 20;

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
                    status.problems().stream().limit(MAX_PROBLEMS).map(PlanFolderProblem::toString).toList());
        }
        return health.build();
    }
}
