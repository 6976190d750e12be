// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Role;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An identity provider. A claim inside of another is written with dots: {@code realm_access.roles}.
 *
 * @param issuerUri what tokens have to name as their issuer; also where its keys are looked up
 * @param jwkSetUri where the keys are, when that is not to be looked up
 * @param audience what tokens have to be meant for
 * @param nameClaim who it is; {@code sub} when a token has no such claim
 * @param rolesClaim a text or a list of texts
 * @param teamsClaim a text or a list of texts
 * @param roles which value of the roles' claim is which role; empty: {@code viewer}, {@code operator}, {@code admin}
 */
record OidcProperties(@Nullable String issuerUri, @Nullable String jwkSetUri, @Nullable String audience,
        @DefaultValue("preferred_username") String nameClaim, @DefaultValue("roles") String rolesClaim,
        @DefaultValue("teams") String teamsClaim, Map<String, Role> roles) {

    @SuppressWarnings("NullAway") // Spring gives null for a map without entries.
    OidcProperties {
        roles = roles == null ? Map.of() : Map.copyOf(roles);
    }

    boolean isSet() {
        return issuerUri != null || jwkSetUri != null;
    }

    /** Returns the reason why a token gives no role, for its owner. */
    String withoutRole() {
        Set<String> known = roles.isEmpty()
                ? Stream.of(Role.values()).map(Role::wireName).collect(Collectors.toCollection(TreeSet::new))
                : new TreeSet<>(roles.keySet());
        return "the claim " + rolesClaim + " of your token names none of " + String.join(", ", known);
    }
}
