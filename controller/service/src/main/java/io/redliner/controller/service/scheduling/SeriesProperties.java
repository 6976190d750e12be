// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of series of runs.
 *
 * @param every interval of the check whether a run is over and the next one can begin, above 0
 */
@ConfigurationProperties("redliner.controller.series")
public record SeriesProperties(@DefaultValue("1s") Duration every) {

    /** @throws IllegalArgumentException when it is not above 0 */
    public SeriesProperties {
        if (!every.isPositive()) {
            throw new IllegalArgumentException("redliner.controller.series.every is above 0");
        }
    }
}
