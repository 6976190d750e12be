// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.service.persistence.ApiTokenRepository;
import io.redliner.controller.service.security.AccessProperties.Mode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a second person could approve a run that a caller submits. With an identity provider the answer is always yes,
 * because it may know further users.
 */
final class Approvers {

    private static final String OTHERWISE = ", or leave safety.approval out";

    private final AccessProperties properties;

    private final BootstrapToken bootstrapToken;

    private final ApiTokenRepository apiTokenRepository;

    private final InstantSource clock;

    Approvers(AccessProperties properties, BootstrapToken bootstrapToken, ApiTokenRepository apiTokenRepository,
            InstantSource clock) {
        this.properties = properties;
        this.bootstrapToken = bootstrapToken;
        this.apiTokenRepository = apiTokenRepository;
        this.clock = clock;
    }

    /**
     * Returns the reason why no user could approve the caller's run, and what to do about it; empty when some user could.
     *
     * @param team the team that owns the service; absent when none does
     */
    Optional<String> missing(Caller caller, String service, @Nullable String team) {
        if (properties.mode() == Mode.OPEN) {
            return Optional.of("nobody could approve it: in access mode open everybody is '" + Caller.LOCAL.name()
                    + "', who submits it. Let a schedule start the plan, set redliner.controller.access.mode to"
                    + " authenticated" + OTHERWISE);
        }
        boolean somebody = properties.oidc().isSet()
                || (bootstrapToken.isSet() && !caller.name().equals(BootstrapToken.CALLER.name()))
                || anybodyElse(caller, team, apiTokenRepository.list(), clock.instant());
        return somebody
                ? Optional.empty()
                : Optional.of("nobody could approve it: nobody but " + caller.name() + " may operate service " + service
                        + (team == null ? "" : " of team " + team)
                        + ". Give a second person a token with POST /api/v1/tokens" + OTHERWISE);
    }

    /** Returns whether one of the tokens belongs to another person who may operate services of the team. */
    static boolean anybodyElse(Caller caller, @Nullable String team, List<ApiToken> tokens, Instant now) {
        return tokens.stream().filter(token -> !token.expired(now) && !token.name().equals(caller.name()))
                .anyMatch(token -> token.caller().mayOperate(team));
    }
}
