// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer;

import java.util.Locale;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The analyzer as a process, or as a part of one. Its settings are in {@code analyzer.yml}. */
@SpringBootApplication
public class AnalyzerApplication {

    /** Runs the analyzer until the process is ended. */
    public static void main(String[] arguments) {
        // Numbers and names must not depend on the language of the machine.
        Locale.setDefault(Locale.ROOT);
        builder().run(arguments);
    }

    /** Returns the application, which the caller may configure further and run. */
    public static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(AnalyzerApplication.class).properties("spring.config.name=analyzer");
    }
}
