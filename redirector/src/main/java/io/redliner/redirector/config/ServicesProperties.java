// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the services file.
 *
 * @param file the services file, see {@link ServicesFileParser}
 * @param pollInterval between two readings of the file, above zero; a change takes effect after two readings
 */
@ConfigurationProperties("redliner.redirector.services")
public record ServicesProperties(@DefaultValue("services.yaml") Path file,
        @DefaultValue("250ms") Duration pollInterval) {

    public ServicesProperties {
        if (pollInterval.isZero() || pollInterval.isNegative()) {
            throw new IllegalArgumentException("redliner.redirector.services.poll-interval must be above zero");
        }
    }
}
