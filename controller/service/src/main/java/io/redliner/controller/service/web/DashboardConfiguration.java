// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.text.ReleaseVersion;
import io.redliner.controller.service.security.HtmlRequestMatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import org.webjars.WebJarVersionLocator;

/** Wires the pages. Boot's auto-configuration is not used: in standalone it would also search the other components for pages. */
@Configuration(proxyBeanMethods = false)
class DashboardConfiguration implements WebMvcConfigurer {

    @Bean
    HtmlErrorResolver pageFailures() {
        return new HtmlErrorResolver();
    }

    /** Lets browsers keep libraries: the address of one has its version, so what it says never changes. */
    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/webjars/**").addResourceLocations("classpath:/META-INF/resources/webjars/")
                .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).immutable());
    }

    @Bean
    ViewResolver pageViewResolver() {
        ClassLoaderTemplateResolver templates = new ClassLoaderTemplateResolver(
                DashboardConfiguration.class.getClassLoader());
        templates.setPrefix("controller-pages/");
        templates.setSuffix(".html");
        templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
        SpringTemplateEngine engine = new SpringTemplateEngine();
        engine.setTemplateResolver(templates);
        ThymeleafViewResolver resolver = new ThymeleafViewResolver();
        resolver.setTemplateEngine(engine);
        resolver.setCharacterEncoding(StandardCharsets.UTF_8.name());
        resolver.addStaticVariable("libraries", WebJarUrls.ofClassPath());
        resolver.addStaticVariable("version", ReleaseVersion.get());
        return resolver;
    }

    /** Shows the error page to browsers, before the API's handler answers a failure with a problem document. */
    static final class HtmlErrorResolver implements HandlerExceptionResolver, Ordered {

        private static final Logger LOG = LoggerFactory.getLogger(HtmlErrorResolver.class);

        /** Returns an order before the resolvers of the API. */
        @Override
        public int getOrder() {
            return -1;
        }

        @Override
        public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
                @Nullable Object handler, Exception failure) {
            if (!HtmlRequestMatcher.wantPage(request) || response.isCommitted()) {
                return null;
            }
            int status = HttpStatus.INTERNAL_SERVER_ERROR.value();
            if (failure instanceof ErrorResponse known) {
                status = known.getStatusCode().value();
            } else {
                LOG.error("a page failed", failure);
            }
            try {
                response.sendError(status);
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
            return new ModelAndView();
        }
    }

    /**
     * The addresses of third-party scripts, with the versions on the class path.
     *
     * @param htmx address of htmx
     * @param echarts address of Apache ECharts
     */
    record WebJarUrls(String htmx, String echarts) {

        static WebJarUrls ofClassPath() {
            WebJarVersionLocator locator = new WebJarVersionLocator();
            return new WebJarUrls(address(locator, "htmx.org", "dist/htmx.min.js"),
                    address(locator, "echarts", "echarts.common.min.js"));
        }

        private static String address(WebJarVersionLocator locator, String name, String file) {
            String path = Objects.requireNonNull(locator.fullPath(name, file), name + " is not on the class path");
            return path.substring("META-INF/resources".length());
        }
    }
}
