// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.nio.charset.StandardCharsets;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.ViewResolver;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** Wires the pages; not Boot's auto-configuration, which in standalone would look for pages in the other rooms too. */
@Configuration(proxyBeanMethods = false)
class DashboardConfiguration {

    @Bean
    HtmlErrorResolver pageFailures() {
        return new HtmlErrorResolver();
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
        return resolver;
    }
}
