// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of API tokens.
 *
 * @param bootstrapTokenFile file with the first admin's token
 * @param bootstrapToken the first admin's token itself
 * @param tokenLifetime lifetime of an API token that is created without one
 * @param longestTokenLifetime the longest lifetime of an API token
 */
@ConfigurationProperties("redliner.controller.access")
record TokenProperties(@Nullable Path bootstrapTokenFile, @Nullable SecretText bootstrapToken,
        @DefaultValue("90d") Duration tokenLifetime, @DefaultValue("366d") Duration longestTokenLifetime) {

    TokenProperties {
        if (!tokenLifetime.isPositive() || tokenLifetime.compareTo(longestTokenLifetime) > 0) {
            throw new IllegalArgumentException(
                    "redliner.controller.access.token-lifetime is above 0 and at most longest-token-lifetime");
        }
    }
}
