// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller;

import java.time.Clock;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The controller as a process of its own, or as one of the contexts of standalone. */
@SpringBootApplication
public class ControllerApplication {

    /** Starts the controller with the settings of {@code controller.yml}. */
    public static void main(String[] arguments) {
        // Figures and names are the same on a machine of any language.
        Locale.setDefault(Locale.ROOT);
        builder().run(arguments);
    }

    /** Returns an application that is ready to run, with {@code spring.config.name=controller}. */
    public static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(ControllerApplication.class)
                .properties(Map.of("spring.config.name", "controller"));
    }

    @Bean
    InstantSource instantSource() {
        return Clock.systemUTC();
    }
}
