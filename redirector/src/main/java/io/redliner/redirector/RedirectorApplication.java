// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector;

import io.redliner.redirector.lease.SteadyClock;
import java.time.Clock;
import java.util.Locale;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The redirector as a process. */
@SpringBootApplication(proxyBeanMethods = false)
public class RedirectorApplication {

    public static void main(String[] arguments) {
        // Figures and names are the same on a machine of any language.
        Locale.setDefault(Locale.ROOT);
        builder().run(arguments);
    }

    /** Returns the application, ready to be run; its configuration is {@code redirector.yml}. */
    public static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(RedirectorApplication.class).properties("spring.config.name=redirector");
    }

    @Bean
    SteadyClock clock() {
        return new SteadyClock(Clock.systemUTC(), System::nanoTime);
    }
}
