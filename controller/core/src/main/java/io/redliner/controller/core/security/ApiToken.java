// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.security;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stored facts about an API token, without the token's text. */
public record ApiToken(long id, String name, Role role, Set<String> teams, String createdBy, Instant createdAt,
        Instant expiresAt, @Nullable Instant lastUsedAt) {

    public ApiToken {
        teams = Set.copyOf(teams);
    }

    public boolean expired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    public Caller caller() {
        return new Caller(name, Caller.Kind.TOKEN, role, teams);
    }
}
