// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A PostgreSQL that writes through to its disk, as one that is to keep something does. */
final class BenchDatabase implements AutoCloseable {

    private final Path folder = TemporaryFolder.create("controller-bench");

    private final Path data = folder.resolve("data");

    private final EmbeddedDatabase server = EmbeddedDatabase.start(data, FreePort.next());

    private final Connection connection;

    BenchDatabase() throws SQLException {
        connection = DriverManager.getConnection(server.jdbcUrl());
    }

    String jdbcUrl() {
        return server.jdbcUrl();
    }

    /** The first column of the only row. */
    long number(String sql) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** From the first column to the second. */
    Map<String, Long> numbers(String sql) throws SQLException {
        var numbers = new TreeMap<String, Long>();
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                numbers.put(String.valueOf(rows.getString(1)), rows.getLong(2));
            }
        }
        return numbers;
    }

    void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Transactions committed so far; PostgreSQL counts them with a second of delay. */
    long transactions() throws SQLException {
        return number("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
    }

    /** Processor time of the processes that live now. */
    Duration cpu() throws IOException {
        long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
        var postmaster = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants())
                .flatMap(process -> process.info().totalCpuDuration().stream()).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.close();
        TemporaryFolder.delete(folder);
    }
}
