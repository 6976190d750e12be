// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.access;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of an API token. Its text is not. */
record ApiToken(long id, String name, Role role, Set<String> teams, String createdBy, Instant createdAt,
        Instant expiresAt, @Nullable Instant lastUsedAt) {

    ApiToken {
        teams = Set.copyOf(teams);
    }

    boolean expired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    Caller caller() {
        return new Caller(name, Caller.Kind.TOKEN, role, teams);
    }
}
