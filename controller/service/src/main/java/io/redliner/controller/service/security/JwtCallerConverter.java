// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.contract.text.PlainText;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** Reads from a verified JWT who it is, the highest of the roles, and the teams. */
final class JwtCallerConverter implements Converter<Jwt, AbstractAuthenticationToken> {

    private static final int MAX_NAME = 200;

    private final OidcProperties properties;

    JwtCallerConverter(OidcProperties properties) {
        this.properties = properties;
    }

    @Override
    public AbstractAuthenticationToken convert(Jwt jwt) {
        return new CallerAuthenticationToken(caller(jwt.getClaims()));
    }

    Caller caller(Map<String, Object> claims) {
        Role role = texts(claims, properties.rolesClaim()).stream()
                .flatMap(value -> role(value).stream())
                .max(Comparator.naturalOrder())
                .orElse(null);
        return new Caller(name(claims), Caller.Kind.OIDC, role, texts(claims, properties.teamsClaim()));
    }

    private Optional<Role> role(String value) {
        return properties.roles().isEmpty() ? Role.of(value) : Optional.ofNullable(properties.roles().get(value));
    }

    private String name(Map<String, Object> claims) {
        Object named = find(claims, properties.nameClaim());
        Object name = named instanceof String text && !text.isBlank() ? named : claims.get("sub");
        if (!(name instanceof String text) || text.isBlank() || text.length() > MAX_NAME
                || !PlainText.line(text)) {
            throw new InvalidBearerTokenException("the token does not say whose it is");
        }
        return text;
    }

    private static Set<String> texts(Map<String, Object> claims, String path) {
        Set<String> texts = new HashSet<>();
        Object value = find(claims, path);
        if (value instanceof String text) {
            texts.addAll(Arrays.asList(text.split("[ ,]+", -1)));
        } else if (value instanceof Collection<?> values) {
            values.forEach(each -> texts.add(String.valueOf(each)));
        }
        texts.remove("");
        return texts;
    }

    /** Returns a claim by its name, or else by the path to it; each name on the path may have dots in it. */
    private static @Nullable Object find(Map<?, ?> claims, String path) {
        if (claims.containsKey(path)) {
            return claims.get(path);
        }
        for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
            if (claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner) {
                Object found = find(inner, path.substring(dot + 1));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }
}
