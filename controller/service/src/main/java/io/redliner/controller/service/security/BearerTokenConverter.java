// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.web.util.WebUtils;

/** Finds the token of a request: in the header Authorization, or in the cookie of a user who signed in at the page. */
public final class BearerTokenConverter implements AuthenticationConverter {

    public static final String COOKIE = "redliner-token";

    /**
     * The origin of a token.
     *
     * @param address that failed sign-ins are counted for
     * @param stops whether it came with a request that stops runs
     */
    record Origin(String address, boolean stops) {}

    private final BearerTokenResolver header = new DefaultBearerTokenResolver();

    @Override
    public @Nullable Authentication convert(HttpServletRequest request) {
        String text = header.resolve(request);
        if (text == null) {
            text = cookie(request);
        }
        if (text == null) {
            return null;
        }
        BearerTokenAuthenticationToken token = new BearerTokenAuthenticationToken(text);
        token.setDetails(new Origin(ClientAddress.limited(request), AuthorizationRules.stops(request)));
        return token;
    }

    private static @Nullable String cookie(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, COOKIE);
        return cookie == null || cookie.getValue().isBlank() ? null : cookie.getValue();
    }

    /**
     * Returns a header {@code Set-Cookie} with the token, which scripts cannot read and other sites cannot send; without an age,
     * until the browser ends.
     */
    public static String cookie(String value, HttpServletRequest request, @Nullable Duration age) {
        ResponseCookie.ResponseCookieBuilder cookie = ResponseCookie.from(COOKIE, value)
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite("Strict")
                .path("/api/v1");
        return (age == null ? cookie : cookie.maxAge(age)).build().toString();
    }
}
