// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.security;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request. It holds no secret.
 *
 * @param name unique among callers of one kind
 * @param role null for a caller who may do nothing
 * @param teams whose services the caller may operate
 */
public record Caller(String name, Kind kind, @Nullable Role role, Set<String> teams) {

    /** Every user in open mode, in which no authentication is needed and only this machine reaches the controller. */
    public static final Caller LOCAL = new Caller("local", Kind.LOCAL, Role.ADMIN, Set.of());

    public static final Caller ANONYMOUS = new Caller("anonymous", Kind.ANONYMOUS, null, Set.of());

    /** The way a caller was authenticated. */
    public enum Kind {

        /** Not authenticated. */
        ANONYMOUS,
        /** A user on this machine, in open mode. */
        LOCAL,
        /** By the token of the installation. */
        BOOTSTRAP,
        /** By an API token. */
        TOKEN,
        /** By an identity provider. */
        OIDC;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Caller {
        Objects.requireNonNull(kind);
        teams = Set.copyOf(teams);
        if (name.isBlank()) {
            throw new IllegalArgumentException("A caller has a name");
        }
    }

    /** Returns true when the caller's role is this one or a higher one. */
    public boolean has(Role wanted) {
        return role != null && role.includes(wanted);
    }

    /** Returns true when the caller may operate a service of this team. Null stands for a service without an owner. */
    public boolean mayOperate(@Nullable String team) {
        return has(Role.ADMIN) || (has(Role.OPERATOR) && (team == null || teams.contains(team)));
    }

    /** Returns the caller's kind and name, since callers of different kinds may have the same name. */
    public String key() {
        return kind.wireName() + ":" + name;
    }
}
