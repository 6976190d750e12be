// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.util.Map;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.TomcatContextCustomizer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Keeps the server below the API from answering, or reading bodies, in its own way, and gives emergency calls their port. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EmergencyProperties.class)
class TomcatConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(TomcatConfiguration.class);

    @Bean
    ControllerWebServerFactory webServerFactory(EmergencyProperties properties) {
        ControllerWebServerFactory factory = new ControllerWebServerFactory(properties);
        // A body that is declared as a form is still a document. Tomcat would consume it to find parameters in it.
        factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
        // The filters reject an encoded slash in a name as well, with a message for people.
        factory.addConnectorCustomizers(connector -> connector
                .setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
        // An instance may be [::1]:9001, which people do not encode.
        factory.addConnectorCustomizers(connector -> {
            connector.setProperty("relaxedPathChars", BracketValve.BRACKETS);
            connector.setProperty("relaxedQueryChars", BracketValve.BRACKETS);
        });
        factory.addContextCustomizers(valves(factory));
        return factory;
    }

    private static TomcatContextCustomizer valves(ControllerWebServerFactory factory) {
        return context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass("");
                host.getPipeline().addValve(new BracketValve());
                host.getPipeline().addValve(
                        new UnreadBodyValve(request -> !factory.emergency(request.getConnector())));
                host.getPipeline().addValve(new EmergencyConnectorValve(factory::emergency));
                host.getPipeline().addValve(new ProblemValve());
                host.getPipeline().addValve(new StopBodyValve());
            }
        };
    }

    /**
     * Makes the port of emergency calls known as {@code local.emergency.port}, as Spring Boot does with {@code
     * local.server.port}.
     */
    @Bean
    ApplicationListener<WebServerInitializedEvent> emergencyPort(ControllerWebServerFactory factory,
            ConfigurableEnvironment environment) {
        return event -> {
            if (event.getApplicationContext().getServerNamespace() == null) {
                int port = factory.emergencyPort();
                LOG.info("aborts and the kill switch are also served at port {}, apart from all other requests", port);
                environment.getPropertySources().addFirst(
                        new MapPropertySource("emergency.ports", Map.of("local.emergency.port", port)));
            }
        };
    }
}
