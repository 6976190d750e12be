// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * An Envoy as a child process. It is in a session of its own where the system has {@code setsid}, so that a Ctrl-C on the
 * terminal reaches RedLiner alone, which restores the traffic before it ends its proxy.
 */
public final class EnvoyProcess implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(25);

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final ProcessHandle process;

    private final EnvoyBootstrap bootstrap;

    private final Path log;

    private EnvoyProcess(ProcessHandle process, EnvoyBootstrap bootstrap, Path log) {
        this.process = process;
        this.bootstrap = bootstrap;
        this.log = log;
    }

    /**
     * Starts a proxy whose configuration and log are in a folder, after ending one that was left over there.
     *
     * @throws UncheckedIOException when the folder cannot be written or the binary not be run
     */
    public static EnvoyProcess start(Path binary, EnvoyBootstrap bootstrap, Path folder) {
        try {
            endLeftover(bootstrap.node(), folder);
            Path configuration = configuration(bootstrap.node(), folder);
            Path pidFile = pidFile(bootstrap.node(), folder);
            Files.writeString(configuration, bootstrap.yaml());
            List<String> command = new ArrayList<>(ownSession());
            command.addAll(
                    List.of(binary.toString(), "--config-path", configuration.toString(), "--log-level", "warning",
                            "--disable-hot-restart", "--concurrency", "2"));
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log(bootstrap.node(), folder).toFile())).start();
            Files.writeString(pidFile, process.pid() + "\n");
            return new EnvoyProcess(process.toHandle(), bootstrap, log(bootstrap.node(), folder));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start Envoy " + binary + " in " + folder, e);
        }
    }

    /**
     * Returns the proxy that was left over in the folder and runs this binary with this bootstrap; empty when there is none. Such
     * a proxy serves users, and connects to the process that listens now at its control plane's address.
     *
     * @throws UncheckedIOException when the folder cannot be read
     */
    public static Optional<EnvoyProcess> leftover(Path binary, EnvoyBootstrap bootstrap, Path folder) {
        try {
            Path configuration = configuration(bootstrap.node(), folder);
            if (!Files.exists(configuration) || !Arrays.equals(Files.readAllBytes(configuration),
                    bootstrap.yaml().getBytes(StandardCharsets.UTF_8))) {
                return Optional.empty();
            }
            return OrphanedProcess.find(pidFile(bootstrap.node(), folder), binary.toString(), configuration)
                    .map(process -> new EnvoyProcess(process, bootstrap, log(bootstrap.node(), folder)));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the folder " + folder, e);
        }
    }

    /**
     * Ends the proxy with this node id that was left over in the folder, because the RedLiner that started it was killed.
     *
     * @throws UncheckedIOException when the folder cannot be used
     */
    public static void endLeftover(String node, Path folder) {
        try {
            Files.createDirectories(folder);
            OrphanedProcess.end(pidFile(node, folder), "envoy", configuration(node, folder));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use the folder " + folder, e);
        }
    }

    private static Path configuration(String node, Path folder) {
        return folder.toAbsolutePath().resolve("envoy-" + node + ".yaml");
    }

    private static Path log(String node, Path folder) {
        return folder.resolve("envoy-" + node + ".log");
    }

    private static Path pidFile(String node, Path folder) {
        return folder.resolve("envoy-" + node + ".pid");
    }

    private static List<String> ownSession() {
        return Stream.of("/usr/bin/setsid", "/bin/setsid").filter(path -> new File(path).canExecute()).limit(1)
                .toList();
    }

    /** Returns the operating system's id of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns the port of the admin interface. */
    public int adminPort() {
        return bootstrap.adminPort();
    }

    /** Returns the proxy's log file. */
    public Path log() {
        return log;
    }

    /** Waits for the end of the process, and returns whether it ended in time. */
    boolean ended(Duration timeout) throws InterruptedException {
        try {
            process.onExit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException alive) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Returns whether the proxy answers in time that it serves. A process that is stopped, or whose main thread is stuck, does
     * not.
     */
    boolean answers(Duration timeout) {
        try {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + adminPort() + "/ready")
                    .toURL().openConnection();
            connection.setConnectTimeout((int) timeout.toMillis());
            connection.setReadTimeout((int) timeout.toMillis());
            try {
                return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return false;
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits until the proxy has its listeners and serves.
     *
     * @throws IllegalStateException when it ended instead, with the end of its log, or is not ready in time
     */
    public void awaitLive(Duration timeout) {
        long begin = System.nanoTime();
        try {
            while (System.nanoTime() - begin < timeout.toNanos()) {
                if (ended(POLL)) {
                    throw new IllegalStateException("Envoy ended: " + lastLog());
                }
                if (answers(READY_TIMEOUT)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while Envoy started", e);
        }
        throw new IllegalStateException("Envoy is not ready after " + timeout + ": " + lastLog());
    }

    /**
     * Returns whether the proxy has a listener on the TCP port. It rejects a listener whose port is taken, and serves without it.
     *
     * @throws UncheckedIOException when its admin interface does not answer
     */
    public boolean listensOn(int port) {
        try (InputStream listeners = URI.create("http://127.0.0.1:" + adminPort() + "/listeners").toURL()
                .openStream()) {
            return new String(listeners.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .anyMatch(line -> line.endsWith(":" + port));
        } catch (IOException e) {
            throw new UncheckedIOException("Envoy does not say where it listens", e);
        }
    }

    private String lastLog() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
        } catch (IOException e) {
            return "no log, " + e.getMessage();
        }
    }

    /** Ends the proxy, by force when it does not go within five seconds. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!ended(STOP_TIMEOUT)) {
                process.destroyForcibly();
                ended(STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
