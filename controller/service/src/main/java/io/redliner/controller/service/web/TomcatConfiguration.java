// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.security.AuthorizationRules;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.apache.tomcat.util.buf.MessageBytes;
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
import org.springframework.http.HttpStatus;

/** Stops Tomcat from answering or reading bodies by itself, and opens the port of emergency calls. */
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

    /**
     * Encodes brackets in addresses of requests, as in {@code /instances/[::1]:9001}: people write them as they are, and
     * {@link java.net.URI} reads none.
     */
    static final class BracketValve extends ValveBase {

        /** Characters that the server has to let through for it. */
        static final String BRACKETS = "[]";

        BracketValve() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            encode(request.getCoyoteRequest().requestURI());
            encode(request.getCoyoteRequest().queryString());
            getNext().invoke(request, response);
        }

        private static void encode(MessageBytes address) {
            String text = address.toString();
            if (text != null && (text.indexOf('[') >= 0 || text.indexOf(']') >= 0)) {
                address.setString(text.replace("[", "%5B").replace("]", "%5D"));
            }
        }
    }

    /** Refuses everything but aborts and the kill switch at the port of emergency calls, before anything is read of it. */
    static final class EmergencyConnectorValve extends ValveBase {

        private final Predicate<Connector> emergency;

        /** @param emergency whether a connector is the one of emergency calls */
        EmergencyConnectorValve(Predicate<Connector> emergency) {
            super(true);
            this.emergency = emergency;
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            if (emergency.test(request.getConnector()) && !response.isError() && !AuthorizationRules.stops(request)) {
                ProblemValve.write(response, HttpStatus.NOT_FOUND.value(),
                        "this port serves POST /api/v1/kill-switch, and POST :abort of runs and series, alone");
            } else {
                getNext().invoke(request, response);
            }
        }
    }
}
