// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server on the loopback interface, as child processes of this one. */
public final class EmbeddedDatabase implements AutoCloseable {

    /** On a crowded machine. */
    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    private final EmbeddedPostgres postgres;

    private final Path folder;

    private final @Nullable Path temporary;

    private EmbeddedDatabase(EmbeddedPostgres postgres, Path folder, @Nullable Path temporary) {
        this.postgres = postgres;
        this.folder = folder;
        this.temporary = temporary;
    }

    /** Starts a server with an empty database that is deleted on {@link #close()}, or else when the process ends. */
    public static EmbeddedDatabase startTemporary() {
        return startTemporary(Map.of());
    }

    /**
     * Like {@link #startTemporary()}.
     *
     * @param settings of the server, as in postgresql.conf
     */
    public static EmbeddedDatabase startTemporary(Map<String, String> settings) {
        Path folder = TemporaryFolder.create("postgresql");
        return start(folder.resolve("data"), FreePort.next(), folder, settings);
    }

    /**
     * Starts a server whose data stays in a folder. A server that was left over there, because its RedLiner was killed, is
     * ended first.
     *
     * @throws UncheckedIOException when it cannot be started
     */
    public static EmbeddedDatabase start(Path folder, int port) {
        return start(folder, port, null, Map.of());
    }

    /**
     * Ends the server that was left over in the folder, because the RedLiner that started it was killed.
     *
     * @throws UncheckedIOException when the folder cannot be read
     */
    public static void endLeftover(Path folder) {
        Path data = folder.toAbsolutePath();
        try {
            OrphanedProcess.end(pidFile(data), "postgres", data);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + data, e);
        }
    }

    private static EmbeddedDatabase start(Path folder, int port, @Nullable Path temporary,
            Map<String, String> settings) {
        Path data = folder.toAbsolutePath();
        try {
            Files.createDirectories(data.getParent());
            endLeftover(data);
            // The library starts its servers for tests, without fsync; data that is to be kept wants it.
            String durable = temporary == null ? "on" : "off";
            // One for a test that is never closed must not outlive the test's process; the other is closed in its order.
            boolean ownHook = temporary != null;
            EmbeddedPostgres.Builder server = EmbeddedPostgres.builder().setDataDirectory(data)
                    .setPGStartupWait(LONGEST_START).setCleanDataDirectory(ownHook).setServerConfig("fsync", durable)
                    .setServerConfig("synchronous_commit", durable).setPort(port).setRegisterShutdownHook(ownHook)
                    .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                    .setOutputRedirector(ProcessBuilder.Redirect.DISCARD);
            settings.forEach(server::setServerConfig);
            return new EmbeddedDatabase(server.start(), data, temporary);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start PostgreSQL in " + data, e);
        }
    }

    /** Runs the action when the server ends, by {@link #close()} as well. */
    public void onExit(Runnable action) {
        try {
            OrphanedProcess.find(pidFile(folder), "postgres", folder).ifPresent(server -> {
                var unused = server.onExit().thenRun(action);
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + folder, e);
        }
    }

    private static Path pidFile(Path data) {
        return data.resolve("postmaster.pid");
    }

    /** Address of the database, with the user in it. */
    public String jdbcUrl() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot stop PostgreSQL", e);
        }
        if (temporary != null) {
            TemporaryFolder.delete(temporary);
        }
    }
}
