// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.testkit.TestDatabase;
import io.redliner.testkit.TestKit;
import java.util.function.Supplier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.util.function.SingletonSupplier;

/** The controller's schema: made once in this JVM, and copied for each test that needs a database. */
public final class Databases {

    private static final Supplier<TestDatabase> TEMPLATE = SingletonSupplier.of(Databases::template);

    private Databases() {}

    /** A database with the schema, and with what Flyway keeps of it. */
    public static TestDatabase migrated() {
        return TestKit.sharedDatabase(TEMPLATE.get());
    }

    private static TestDatabase template() {
        TestDatabase template = TestKit.sharedDatabase();
        migrate(template);
        return template;
    }

    /** Brings a database to this version, as the controller does it when it starts, with its settings. */
    public static void migrate(TestDatabase database) {
        new SpringApplicationBuilder()
                .web(WebApplicationType.NONE)
                // By name: these are dependencies of the controller when it runs, not of its code.
                .properties("spring.config.name=controller",
                        "spring.main.sources=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                                + "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
                .run("--spring.datasource.url=" + database.jdbcUrl())
                .close();
    }
}
