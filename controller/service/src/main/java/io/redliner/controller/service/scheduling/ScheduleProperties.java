// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of scheduled plans.
 *
 * @param polling how often due firings are looked for
 * @param heartbeat how often a controller says that it still works on a firing; after four without, another takes it
 * @param threads that start runs, 1 to 16
 * @param grace how late a firing may be without being a missed one; above five heartbeats, so that one that was taken
 *        over is none
 * @param retry after which a refused firing is tried again
 */
@ConfigurationProperties("redliner.controller.schedule")
public record ScheduleProperties(@DefaultValue("1s") Duration polling, @DefaultValue("5s") Duration heartbeat,
        @DefaultValue("2") int threads, @DefaultValue("1m") Duration grace, @DefaultValue("30s") Duration retry) {

    /** @throws IllegalArgumentException when a value is out of its range */
    public ScheduleProperties {
        if (!polling.isPositive() || !heartbeat.isPositive() || !retry.isPositive()) {
            throw new IllegalArgumentException(
                    "redliner.controller.schedule: polling, heartbeat and retry are above 0");
        }
        if (threads < 1 || threads > 16) {
            throw new IllegalArgumentException("redliner.controller.schedule.threads is between 1 and 16");
        }
        if (grace.compareTo(heartbeat.multipliedBy(5)) <= 0) {
            throw new IllegalArgumentException("redliner.controller.schedule.grace is above five heartbeats");
        }
    }
}
