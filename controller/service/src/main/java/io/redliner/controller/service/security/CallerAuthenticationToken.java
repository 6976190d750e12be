// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import java.io.Serial;
import java.util.Collection;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * Represents a caller in Spring Security. It has the authority of the caller's role and of each lower role, and contains no secret.
 */
final class CallerAuthenticationToken extends AbstractAuthenticationToken {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient Caller caller;

    CallerAuthenticationToken(Caller caller) {
        super(authorities(caller.role()));
        this.caller = caller;
        setAuthenticated(true);
    }

    private static Collection<? extends GrantedAuthority> authorities(@Nullable Role role) {
        return Stream.of(Role.values())
                .filter(included -> role != null && role.includes(included))
                .map(included -> new SimpleGrantedAuthority("ROLE_" + included.name()))
                .toList();
    }

    Caller caller() {
        return caller;
    }

    @Override
    public Object getPrincipal() {
        return caller;
    }

    @Override
    public String getName() {
        return caller.name();
    }

    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CallerAuthenticationToken authentication && authentication.caller.equals(caller);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(caller);
    }
}
