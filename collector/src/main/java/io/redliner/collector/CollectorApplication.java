// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import java.util.Locale;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The collector as a process, or as a part of one. Its settings are in {@code collector.yml}. */
@SpringBootApplication
public class CollectorApplication {

    /** Runs the collector until the process is ended. */
    public static void main(String[] arguments) {
        // Figures and names are the same on a machine of any language.
        Locale.setDefault(Locale.ROOT);
        builder().run(arguments);
    }

    /** Returns the collector to be configured further and run. */
    public static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(CollectorApplication.class).properties("spring.config.name=collector");
    }
}
