// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;
import org.springframework.web.client.RestOperations;
import org.springframework.web.client.RestTemplate;

/**
 * Verifies the tokens of an identity provider: signed with one of its keys, by it, for us, and now. Its keys are fetched with the
 * first token, so that the controller starts without the provider.
 */
final class OidcJwtDecoderFactory {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final Duration SKEW = Duration.ofSeconds(30);

    /** Maximum number of requests per minute for the provider's keys: a token may name an unknown key. */
    private static final int REQUESTS_PER_MINUTE = 30;

    private OidcJwtDecoderFactory() {}

    /**
     * Returns the decoder for a provider that is set.
     *
     * @throws AccessNotConfiguredException when there is no audience: any token of the provider would do
     */
    static JwtDecoder of(OidcProperties properties, Clock clock) {
        String audience = properties.audience();
        if (audience == null || audience.isBlank()) {
            throw new AccessNotConfiguredException(
                    "redliner.controller.access.oidc has no audience, so that tokens for other applications would do",
                    "Set redliner.controller.access.oidc.audience to what the identity provider writes into aud.");
        }
        OAuth2TokenValidator<Jwt> validator = validator(properties.issuerUri(), audience, clock);
        RestOperations http = http(new RateLimiter(REQUESTS_PER_MINUTE));
        JwtDecoder decoder = new SupplierJwtDecoder(() -> decoder(properties, validator, http));
        return token -> {
            try {
                return decoder.decode(token);
            } catch (JwtDecoderInitializationException unreachable) {
                throw new JwtException("the identity provider does not answer", unreachable);
            }
        };
    }

    private static JwtDecoder decoder(OidcProperties properties, OAuth2TokenValidator<Jwt> validator,
            RestOperations http) {
        NimbusJwtDecoder decoder = keys(properties)
                // Only asymmetric ones: with a shared key, the verifier could sign as well. "none" is in no list.
                .jwsAlgorithms(algorithms -> algorithms.addAll(Set.of(SignatureAlgorithm.values())))
                .restOperations(http)
                .validateType(false)
                .build();
        decoder.setJwtValidator(validator);
        return decoder;
    }

    private static NimbusJwtDecoder.JwkSetUriJwtDecoderBuilder keys(OidcProperties properties) {
        return properties.jwkSetUri() != null
                ? NimbusJwtDecoder.withJwkSetUri(properties.jwkSetUri())
                : NimbusJwtDecoder.withIssuerLocation(Objects.requireNonNull(properties.issuerUri()));
    }

    private static OAuth2TokenValidator<Jwt> validator(@Nullable String issuer, String audience, Clock clock) {
        JwtTimestampValidator time = new JwtTimestampValidator(SKEW);
        time.setClock(clock);
        time.setAllowEmptyExpiryClaim(false);
        // RFC 9068 gives access tokens a type of their own.
        JwtTypeValidator type = new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt");
        type.setAllowEmpty(true);
        List<OAuth2TokenValidator<Jwt>> validators = new ArrayList<>(List.of(time, type,
                new JwtClaimValidator<List<String>>(JwtClaimNames.AUD,
                        named -> named != null && named.contains(audience))));
        if (issuer != null) {
            validators.add(new JwtIssuerValidator(issuer));
        }
        return new DelegatingOAuth2TokenValidator<>(validators);
    }

    private static RestOperations http(RateLimiter limiter) {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(TIMEOUT).build());
        requests.setReadTimeout(TIMEOUT);
        RestTemplate template = new RestTemplate(requests);
        template.getInterceptors().add((request, body, execution) -> {
            if (limiter.take("keys").isPresent()) {
                throw new IOException("the identity provider was asked too often");
            }
            return execution.execute(request, body);
        });
        return template;
    }
}
