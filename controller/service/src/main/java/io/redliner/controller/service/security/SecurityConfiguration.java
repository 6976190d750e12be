// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.service.persistence.ApiTokenRepository;
import io.redliner.controller.service.persistence.AuditRepository;
import io.redliner.controller.service.persistence.ServiceOwnerRepository;
import io.redliner.controller.service.security.AccessProperties.Mode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;

/** Wires authentication, permissions, API tokens and the audit log. */
@Configuration(proxyBeanMethods = false)
@Import({ServiceOwnerRepository.class, ApiTokenRepository.class, ApiTokenCache.class, AuditRepository.class,
    AuditLog.class})
@EnableConfigurationProperties({AccessProperties.class, TokenProperties.class})
class SecurityConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityConfiguration.class);

    @Bean
    static BeanFactoryPostProcessor openModeValidator(Environment environment) {
        return new OpenModeValidator(environment);
    }

    @Bean
    BootstrapToken bootstrapToken(TokenProperties properties) {
        return BootstrapToken.of(properties.bootstrapToken(), properties.bootstrapTokenFile());
    }

    @Bean
    Permissions permissions(ServiceOwnerRepository owners, AccessProperties properties, BootstrapToken bootstrap,
            ApiTokenRepository tokens, InstantSource clock) {
        return new OwnershipPermissions(owners, new Approvers(properties, bootstrap, tokens, clock));
    }

    @Bean
    ApiTokenService apiTokenService(ApiTokenRepository tokens, ApiTokenCache cache, TokenProperties properties,
            InstantSource clock) {
        return new ApiTokenService(tokens, cache, properties, new SecureRandom(), clock);
    }

    /** Limits failed sign-ins, by client address. */
    @Bean
    RateLimiter signInFailures(AccessProperties properties) {
        return new RateLimiter(properties.failuresPerMinute());
    }

    @Bean
    SecurityProblemWriter securityProblemWriter(AuditLog audit, RateLimiter signInFailures,
            AccessProperties properties) {
        return new SecurityProblemWriter(audit, signInFailures, properties.oidc());
    }

    /** Wires the ways to sign in. A controller to which no user can sign in still drives runs, so it starts and logs an error. */
    @Bean
    AuthenticationManager authenticationManager(AccessProperties properties, BootstrapToken bootstrap,
            ApiTokenCache cache, ApiTokenRepository tokens, RateLimiter signInFailures, InstantSource clock) {
        List<AuthenticationProvider> providers = new ArrayList<>();
        providers.add(new ApiTokenAuthenticationProvider(bootstrap, cache, signInFailures, clock));
        if (properties.oidc().isSet()) {
            JwtAuthenticationProvider jwt = new JwtAuthenticationProvider(
                    OidcJwtDecoderFactory.of(properties.oidc(), clock.withZone(ZoneOffset.UTC)));
            jwt.setJwtAuthenticationConverter(new JwtCallerConverter(properties.oidc()));
            providers.add(jwt);
        }
        if (properties.mode() == Mode.AUTHENTICATED && !bootstrap.isSet() && !properties.oidc().isSet()
                && tokens.list().stream().noneMatch(token -> !token.expired(clock.instant()))) {
            LOG.error("nobody can sign in: set redliner.controller.access.bootstrap-token-file,"
                    + " or redliner.controller.access.oidc.issuer-uri and .audience, and start again");
        }
        return new ProviderManager(providers);
    }

    /**
     * Refuses to start a controller that other machines can reach and that does not authenticate callers. It checks the settings before
     * a database is touched or a port is bound.
     */
    private static final class OpenModeValidator implements BeanFactoryPostProcessor {

        private final Environment environment;

        OpenModeValidator(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
            Mode mode = Binder.get(environment).bind("redliner.controller.access.mode", Mode.class).orElse(Mode.OPEN);
            String address = environment.getProperty("server.address");
            if (mode == Mode.OPEN && !loopback(address)) {
                throw new AccessNotConfiguredException(
                        (address == null || address.isBlank()
                                ? "server.address is not set, so that every machine can reach the controller"
                                : "server.address is " + address + ", which other machines can reach")
                                + ", and redliner.controller.access.mode is open: everybody would be an admin",
                        "Either set server.address to a loopback address such as 127.0.0.1, or set"
                                + " redliner.controller.access.mode to authenticated, and give people a way in:"
                                + " redliner.controller.access.bootstrap-token-file for the first admin's token, or"
                                + " redliner.controller.access.oidc.issuer-uri and .audience for an identity provider.");
            }
            requireManagementHere();
        }

        /** The filters of this package stand before the main port only. */
        private void requireManagementHere() {
            String port = environment.getProperty("management.server.port", "-1");
            String address = environment.getProperty("management.server.address",
                    environment.getProperty("server.address", ""));
            boolean own = !port.equals("-1")
                    && (port.equals("0") || !port.equals(environment.getProperty("server.port", "8080")));
            if (own && !loopback(address)) {
                throw new AccessNotConfiguredException(
                        "management.server.port is a port of its own that other machines can reach, and nothing guards it",
                        "Leave management.server.port out, or set management.server.address to a loopback address.");
            }
        }

        private static boolean loopback(@Nullable String address) {
            try {
                return address != null && !address.isBlank() && InetAddress.getByName(address).isLoopbackAddress();
            } catch (UnknownHostException unknown) {
                return false;
            }
        }
    }
}
