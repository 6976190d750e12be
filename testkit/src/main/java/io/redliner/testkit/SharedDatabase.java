// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server for all tests of this JVM, in which each test has databases of its own. */
final class SharedDatabase {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final TestDatabase database;

    SharedDatabase(TestDatabase database) {
        this.database = database;
    }

    TestDatabase create() {
        return create("template1");
    }

    /** @param template name of a database without connections */
    TestDatabase create(String template) {
        String name = "test_" + NUMBERS.incrementAndGet();
        execute("CREATE DATABASE " + name + " TEMPLATE " + template);
        return new TestDatabase() {

            @Override
            public String name() {
                return name;
            }

            @Override
            public String jdbcUrl() {
                return database.jdbcUrl().replaceFirst("/postgres\\?", "/" + name + "?");
            }

            @Override
            public void refuseConnections() {
                execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
                execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
            }

            @Override
            public void acceptConnections() {
                execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");
            }

            @Override
            public void close() {
                execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            }
        };
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }
}
