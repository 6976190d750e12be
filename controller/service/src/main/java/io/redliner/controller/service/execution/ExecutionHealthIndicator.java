// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.service.persistence.UnreadableRows;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when a worker is dead, decisions cannot be stored, or Kafka cannot be read. */
final class ExecutionHealthIndicator implements HealthIndicator {

    private final RunExecutor driver;

    private final VerdictSource verdicts;

    private final RunSupervisor watch;

    private final UnreadableRows unreadable;

    ExecutionHealthIndicator(RunExecutor driver, VerdictSource verdicts, RunSupervisor watch,
            UnreadableRows unreadable) {
        this.driver = driver;
        this.watch = watch;
        this.unreadable = unreadable;
        this.verdicts = verdicts;
    }

    @Override
    public Health health() {
        boolean up = driver.healthy() && driver.storing() && verdicts.alive() && verdicts.reading()
                && watch.looking();
        Health.Builder health = up ? Health.up() : Health.down();
        addCause(health, "driverDiedOf", driver.broken());
        addCause(health, "verdictsDiedOf", verdicts.broken());
        addCause(health, "watchDiedOf", watch.broken());
        return health.withDetail("driver", driver.healthy())
                .withDetail("storing", driver.storing())
                .withDetail("verdicts", verdicts.alive())
                .withDetail("reading", verdicts.reading())
                .withDetail("watching", watch.looking())
                .withDetail("unreadable", unreadable.named())
                .withDetail("liveRuns", driver.driven())
                .build();
    }

    private static void addCause(Health.Builder health, String name, @Nullable String cause) {
        if (cause != null) {
            health.withDetail(name, cause);
        }
    }
}
