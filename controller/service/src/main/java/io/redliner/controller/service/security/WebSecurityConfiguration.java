// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.service.persistence.EmergencyQueries;
import io.redliner.controller.service.security.AccessProperties.Mode;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The filters before the controller. They are wired here and not by Spring Boot's auto-configuration, which in standalone
 * would find its classes on the class path that all rooms share, and lock up the other rooms.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class WebSecurityConfiguration {

    /** The order after the filters that decode requests and make them known to their thread. */
    private static final int ORDER = -100;

    /** Methods that reach the API, which answers 405 to those that it does not serve. TRACE and CONNECT end here. */
    private static final List<String> METHODS = List.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT",
            "QUERY");

    @Bean
    SecurityFilterChain securityFilterChain(HttpSecurity http, AccessProperties properties,
            AuthenticationManager manager, SecurityProblemWriter problemWriter, AuditLog audit) throws Exception {
        boolean open = properties.mode() == Mode.OPEN;
        RateLimiter requests = new RateLimiter(properties.requestsPerMinute());
        return http.sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // CrossSiteRequestFilter takes its place, without a token that clients would have to fetch.
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .headers(WebSecurityConfiguration::headers)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(problemWriter)
                        .accessDeniedHandler(problemWriter))
                .authorizeHttpRequests(AuthorizationRules::apply)
                .addFilterAfter(new RequestLimitFilter(properties.bodyTimeout(), problemWriter),
                        HeaderWriterFilter.class)
                .addFilterAfter(new CrossSiteRequestFilter(open, problemWriter), HeaderWriterFilter.class)
                .addFilterBefore(new EmergencyFilter(), AnonymousAuthenticationFilter.class)
                .addFilterBefore(open ? new LocalCallerFilter() : bearer(manager, problemWriter),
                        AnonymousAuthenticationFilter.class)
                .addFilterAfter(new RateLimitFilter(requests, problemWriter), AnonymousAuthenticationFilter.class)
                .addFilterAfter(new CostlyRequestFilter(properties.bodyTimeout(), problemWriter),
                        AuthorizationFilter.class)
                .addFilterAfter(new AuditFilter(audit, problemWriter), AuthorizationFilter.class)
                .build();
    }

    private static Filter bearer(AuthenticationManager manager, SecurityProblemWriter problemWriter) {
        BearerTokenAuthenticationFilter filter = new BearerTokenAuthenticationFilter(manager,
                new BearerTokenConverter());
        filter.setAuthenticationEntryPoint(problemWriter);
        filter.setAuthenticationFailureHandler(problemWriter);
        return filter;
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER))
                .addHeaderWriter(new SecurityHeaderWriter())
                .withObjectPostProcessor(new ObjectPostProcessor<HeaderWriterFilter>() {

                    @Override
                    public <O extends HeaderWriterFilter> O postProcess(O filter) {
                        // Later would be too late for a stream: another thread writes it.
                        filter.setShouldWriteHeadersEagerly(true);
                        return filter;
                    }
                });
    }

    /** Lets unusual headers and parameters pass: the API refuses them and tells where they are. */
    @Bean
    HttpFirewall httpFirewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowedHttpMethods(METHODS);
        firewall.setAllowedHeaderNames(name -> true);
        firewall.setAllowedHeaderValues(value -> true);
        firewall.setAllowedParameterNames(name -> true);
        firewall.setAllowedParameterValues(value -> true);
        return firewall;
    }

    @Bean
    WebSecurityCustomizer rejectedRequests(SecurityProblemWriter problemWriter) {
        return web -> web.requestRejectedHandler(problemWriter);
    }

    /** Filters requests from outside only: forwards and streams that go on were let in before. */
    @Bean
    FilterRegistrationBean<Filter> securityFilter(@Qualifier("springSecurityFilterChain") Filter chain) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(chain);
        registration.setOrder(ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST);
        return registration;
    }

    /** Requests that stop runs do not wait for the database for long, nor for connections behind viewers. */
    static final class EmergencyFilter extends OncePerRequestFilter {

        @Override
        protected boolean shouldNotFilter(HttpServletRequest request) {
            return !AuthorizationRules.stops(request);
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            try (EmergencyQueries.Request unused = EmergencyQueries.begin()) {
                chain.doFilter(request, response);
            }
        }
    }

    /** Takes each caller for the admin of this machine: in open mode requests come from this machine only. */
    static final class LocalCallerFilter extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            SecurityContextHolder.setContext(new SecurityContextImpl(new CallerAuthenticationToken(Caller.LOCAL)));
            chain.doFilter(request, response);
        }
    }

    /** Limits the requests of each caller, or of each address when it is not known who calls. A stream counts once. */
    static final class RateLimitFilter extends OncePerRequestFilter {

        private final RateLimiter limiter;

        private final SecurityProblemWriter problemWriter;

        RateLimitFilter(RateLimiter limiter, SecurityProblemWriter problemWriter) {
            this.limiter = limiter;
            this.problemWriter = problemWriter;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            Caller caller = OwnershipPermissions.current();
            boolean known = caller.kind() != Caller.Kind.ANONYMOUS;
            Optional<Duration> retryAfter = known && AuthorizationRules.stops(request)
                    ? Optional.empty()
                    : limiter.take(known ? caller.key() : "address:" + ClientAddress.limited(request));
            if (retryAfter.isPresent()) {
                problemWriter.wait(request, response, retryAfter.get(), "slow down");
            } else {
                chain.doFilter(request, response);
            }
        }
    }
}
