// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.fixture.Database;
import io.redliner.fixture.Fixture;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.springframework.util.function.SingletonSupplier;

/** The controller's schema: made once in this JVM, and copied for each test that needs a database. */
public final class Databases {

    private static final Supplier<Database> TEMPLATE = SingletonSupplier.of(Databases::template);

    private Databases() {}

    /** A database with the schema, and with what Flyway keeps of it. */
    public static Database migrated() {
        return Fixture.sharedDatabase(TEMPLATE.get());
    }

    private static Database template() {
        Database template = Fixture.sharedDatabase();
        Flyway.configure().dataSource(template.jdbcUrl(), null, null).locations("classpath:db/migration/controller")
                .load().migrate();
        return template;
    }
}
