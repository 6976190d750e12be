// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A real database whose processes can be stopped, started again in the same place, and held. */
public final class BreakableDatabase implements AutoCloseable {

    private final Path data;

    private final int port = FreePort.next();

    private final String jdbcUrl;

    private EmbeddedDatabase server;

    private List<ProcessHandle> held = List.of();

    /** In a folder that is deleted when the process ends. */
    public BreakableDatabase() {
        this(TemporaryFolder.create("breakable-database"));
    }

    /** In a folder that somebody else deletes. */
    public BreakableDatabase(Path folder) {
        this.data = folder.resolve("data");
        this.server = EmbeddedDatabase.start(data, port);
        this.jdbcUrl = server.jdbcUrl();
    }

    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** Ends the server; its data stays. */
    public void stop() {
        server.close();
    }

    /** After it was stopped, or broke down by itself. */
    public void startAgain() {
        // Or the one that broke down still has the lock on the data.
        server.close();
        server = EmbeddedDatabase.start(data, port);
    }

    /** Whether there is a server, which need not answer. */
    public boolean running() {
        return first().isPresent();
    }

    /** Whether somebody who comes now is let in. */
    public boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(5);
        } catch (SQLException refused) {
            return false;
        }
    }

    /** For a test that asks for itself; never for long. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl + "&connectTimeout=5&socketTimeout=10");
    }

    /** As a machine that stands still: connections hang and do not fail. */
    public void hold() {
        ProcessHandle first = first().orElseThrow(() -> new AssertionError("no server in " + data));
        List<ProcessHandle> all = new ArrayList<>();
        all.add(first);
        first.descendants().forEach(all::add);
        held = List.copyOf(all);
        held.forEach(process -> ControllerProcess.signal("-STOP", process.pid()));
    }

    public void letGo() {
        held.stream().filter(ProcessHandle::isAlive)
                .forEach(process -> ControllerProcess.signal("-CONT", process.pid()));
        held = List.of();
    }

    private Optional<ProcessHandle> first() {
        Path pidFile = data.resolve("postmaster.pid");
        try (Stream<String> lines = Files.lines(pidFile)) {
            return lines.findFirst().map(String::strip).map(Long::parseLong).flatMap(ProcessHandle::of)
                    .filter(ProcessHandle::isAlive);
        } catch (IOException stopped) {
            if (Files.exists(pidFile)) {
                throw new UncheckedIOException(stopped);
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        letGo();
        server.close();
    }
}
