// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when what the plan folder says is not taken over; says which file, line and column. */
final class PlanFolderHealthIndicator implements HealthIndicator {

    private static final int MOST = 20;

    private final PlanFolderPoller folder;

    PlanFolderHealthIndicator(PlanFolderPoller folder) {
        this.folder = folder;
    }

    @Override
    public Health health() {
        PlanFolderStatus status = folder.status();
        boolean well = status.problems().isEmpty() && !folder.dead();
        Health.Builder health = well ? Health.up() : Health.down();
        if (!status.problems().isEmpty()) {
            health.withDetail("problems",
                    status.problems().stream().limit(MOST).map(PlanFolderProblem::toString).toList());
        }
        return health.build();
    }
}
