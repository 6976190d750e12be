// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import io.redliner.analyzer.AnalyzerApplication;
import io.redliner.collector.CollectorApplication;
import io.redliner.controller.ControllerApplication;
import io.redliner.redirector.RedirectorApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** A component that runs in this process, in a Spring context of its own. Declared in the order in which they start. */
public enum StackComponent {

    REDIRECTOR, COLLECTOR, ANALYZER, CONTROLLER;

    /** All components share one class path here; these would find the controller's PostgreSQL driver and want a database. */
    private static final String DATABASE_AUTO_CONFIGURATIONS = """
            org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,\
            org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration""";

    /** Returns the application as it is deployed, but for {@link #excludedAutoConfigurations}. */
    public SpringApplicationBuilder application() {
        return switch (this) {
            case REDIRECTOR -> RedirectorApplication.builder();
            case COLLECTOR -> CollectorApplication.builder();
            case ANALYZER -> AnalyzerApplication.builder();
            case CONTROLLER -> ControllerApplication.builder();
        };
    }

    /** Returns the value of {@code spring.autoconfigure.exclude}: comma-separated class names. */
    public String excludedAutoConfigurations() {
        return this == CONTROLLER ? "" : DATABASE_AUTO_CONFIGURATIONS;
    }
}
