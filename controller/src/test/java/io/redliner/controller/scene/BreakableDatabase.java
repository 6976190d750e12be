// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        this.data = TemporaryFolder.create("breakable-database").resolve("data");
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

    public void startAgain() {
        server = EmbeddedDatabase.start(data, port);
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
