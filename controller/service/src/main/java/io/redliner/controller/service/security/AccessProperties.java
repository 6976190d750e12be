// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of authentication and of request limits.
 *
 * @param mode {@code open}: everybody on this machine is an admin; {@code authenticated}: requests need a token
 * @param oidc the identity provider whose tokens are taken, if any
 * @param requestsPerMinute of one caller, or of one address when it is not known who calls; also the largest burst
 * @param failuresPerMinute failed sign-ins of one address; also the largest burst
 * @param bodyTimeout time within which a request's body has to arrive, and for which it waits at most to be worked on
 */
@ConfigurationProperties("redliner.controller.access")
public record AccessProperties(@DefaultValue("open") Mode mode, @DefaultValue OidcProperties oidc,
        @DefaultValue("12000") int requestsPerMinute, @DefaultValue("20") int failuresPerMinute,
        @DefaultValue("10s") Duration bodyTimeout) {

    /** Access without or with a token. */
    public enum Mode {
        OPEN, AUTHENTICATED
    }

    public AccessProperties {
        if (requestsPerMinute < 1 || failuresPerMinute < 1) {
            throw new IllegalArgumentException("redliner.controller.access limits are at least 1 per minute");
        }
        if (!bodyTimeout.isPositive()) {
            throw new IllegalArgumentException("redliner.controller.access.body-timeout is above 0");
        }
    }
}
