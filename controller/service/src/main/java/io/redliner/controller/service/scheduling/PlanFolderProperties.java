// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The folder that plans come from besides the API.
 *
 * @param folder with plans as {@code *.yaml}, {@code *.yml} and {@code *.json}, and calendars as {@code *.ics}; null: none
 * @param look interval of polling, 100 ms to 10 min; content that two polls see is applied
 */
@ConfigurationProperties("redliner.controller.plans")
public record PlanFolderProperties(@Nullable Path folder, @DefaultValue("2s") Duration look) {

    /** @throws IllegalArgumentException when a value is out of its range */
    public PlanFolderProperties {
        if (look.compareTo(Duration.ofMillis(100)) < 0 || look.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("redliner.controller.plans.look is between 100ms and 10m");
        }
        if (folder != null && folder.toString().isBlank()) {
            folder = null;
        }
    }
}
