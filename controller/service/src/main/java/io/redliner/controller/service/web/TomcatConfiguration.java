// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keeps the server below the API from answering, or reading bodies, in its own way. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> serverBelowTheApi() {
        return factory -> {
            // A body that claims to be a form is still a document; Tomcat would swallow it to find parameters in it.
            factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
            // The filters refuse a slash in a name as well, and know how to say so to people.
            factory.addConnectorCustomizers(connector -> connector
                    .setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
            factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass("");
                    host.getPipeline().addValve(new UnreadBodyValve());
                    host.getPipeline().addValve(new ProblemValve());
                }
            });
        };
    }
}
