// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.service.persistence.UnreadableRows;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when a worker is dead, decisions cannot be stored, or Kafka cannot be read. */
final class ExecutionHealthIndicator implements HealthIndicator {

    private final RunExecutor executor;

    private final VerdictSource verdicts;

    private final RunSupervisor supervisor;

    private final UnreadableRows unreadable;

    ExecutionHealthIndicator(RunExecutor executor, VerdictSource verdicts, RunSupervisor supervisor,
            UnreadableRows unreadable) {
        this.executor = executor;
        this.supervisor = supervisor;
        this.unreadable = unreadable;
        this.verdicts = verdicts;
    }

    @Override
    public Health health() {
        boolean up = executor.healthy() && executor.storing() && verdicts.alive() && verdicts.reading()
                && supervisor.checking();
        Health.Builder health = up ? Health.up() : Health.down();
        addCause(health, "driverDiedOf", executor.failure());
        addCause(health, "verdictsDiedOf", verdicts.failure());
        addCause(health, "watchDiedOf", supervisor.failure());
        return health.withDetail("driver", executor.healthy())
                .withDetail("storing", executor.storing())
                .withDetail("verdicts", verdicts.alive())
                .withDetail("reading", verdicts.reading())
                .withDetail("watching", supervisor.checking())
                .withDetail("unreadable", unreadable.named())
                .withDetail("liveRuns", executor.driven())
                .build();
    }

    private static void addCause(Health.Builder health, String name, @Nullable String cause) {
        if (cause != null) {
            health.withDetail(name, cause);
        }
    }
}
