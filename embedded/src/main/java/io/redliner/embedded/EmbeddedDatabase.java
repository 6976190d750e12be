// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server on the loopback interface, as child processes of this one. */
public final class EmbeddedDatabase implements AutoCloseable {

    /** Maximum time of a start, for a busy machine. */
    private static final Duration MAX_START = Duration.ofMinutes(2);

    private static final Duration WATCHING = Duration.ofMillis(500);

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
        Path log = data.resolveSibling("postgresql.log");
        try {
            Files.createDirectories(data.getParent());
            endLeftover(data);
            OrphanedProcess.forgetStranger(pidFile(data), "postgres", data);
            Files.deleteIfExists(log);
            // The library starts its servers for tests, without fsync; data that is to be kept wants it.
            String durable = temporary == null ? "on" : "off";
            // One for a test that is never closed must not outlive the test's process; the other is closed in its order.
            boolean ownHook = temporary != null;
            EmbeddedPostgres.Builder server = EmbeddedPostgres.builder().setDataDirectory(data)
                    // The machine's locale may be one that it does not have, and sorts as it likes.
                    .setLocaleConfig("locale", "C")
                    .setPGStartupWait(MAX_START).setCleanDataDirectory(ownHook).setServerConfig("fsync", durable)
                    .setServerConfig("synchronous_commit", durable).setPort(port).setRegisterShutdownHook(ownHook)
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()));
            settings.forEach(server::setServerConfig);
            return new EmbeddedDatabase(start(server, data, log), data, temporary);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start PostgreSQL in " + data + reason(log), e);
        } catch (IllegalStateException e) {
            throw new IllegalStateException("Cannot start PostgreSQL in " + data + reason(log), e);
        }
    }

    /**
     * Starts the server. The library would poll a server that has ended for the whole time that a slow one may take, so it is
     * interrupted.
     */
    private static EmbeddedPostgres start(EmbeddedPostgres.Builder server, Path data, Path log) throws IOException {
        Thread starting = Thread.currentThread();
        EmbeddedPostgres started;
        try (ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor()) {
            var unused = watching.scheduleWithFixedDelay(() -> {
                if (hasGivenUp(data, log)) {
                    starting.interrupt();
                }
            }, WATCHING.toMillis(), WATCHING.toMillis(), TimeUnit.MILLISECONDS);
            started = server.start();
        }
        if (hasGivenUp(data, log)) {
            Thread.interrupted();
            throw new IOException("it has ended");
        }
        return started;
    }

    /** Returns true when the server has ended with an error. While it runs, the file with its process id exists. */
    private static boolean hasGivenUp(Path data, Path log) {
        try {
            return !Files.exists(pidFile(data)) && Files.exists(log) && Files.readString(log).contains("FATAL:");
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Returns the end of the log; for a known reason, what the user can do. */
    private static String reason(Path log) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        if (!TemporaryFolder.canRunPrograms()) {
            return ": no program can be run from " + temporary
                    + ", which may be mounted noexec; choose another folder with"
                    + " REDLINER_JAVA_OPTIONS=-Djava.io.tmpdir=FOLDER";
        }
        try {
            List<String> lines = Files.readAllLines(log);
            String end = String.join(" ", lines.subList(Math.max(0, lines.size() - 4), lines.size())).strip();
            return end.isEmpty() ? "" : ", which says (" + log + "): " + end;
        } catch (IOException unreadable) {
            return "";
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
