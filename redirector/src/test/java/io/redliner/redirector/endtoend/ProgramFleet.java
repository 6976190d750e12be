// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Instances that one program serves, nginx or one that Go builds: it answers 503 for a port while there is a file {@code sick-PORT}. */
final class ProgramFleet implements AutoCloseable {

    private final Path folder = TemporaryFolder.create("instances");

    private final List<Integer> ports;

    private final Process process;

    private ProgramFleet(int size, ProgramCommand command) throws IOException, InterruptedException {
        ports = IntStream.range(0, size).mapToObj(next -> FreePort.next()).toList();
        process = new ProcessBuilder(command.of(folder, ports)).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile()).start();
        Awaitility.await().until(() -> ports.stream().allMatch(ProgramFleet::listening));
    }

    private interface ProgramCommand {

        List<String> of(Path folder, List<Integer> ports) throws IOException, InterruptedException;
    }

    /** Returns whether the program is on the path. */
    static boolean has(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /** An nginx with a server for each port. */
    static ProgramFleet nginx(int size) throws IOException, InterruptedException {
        return new ProgramFleet(size, (folder, ports) -> {
            StringBuilder servers = new StringBuilder();
            for (int port : ports) {
                servers.append(resource("nginx-server.conf").replace("${port}", Integer.toString(port))
                        .replace("${folder}", folder.toString()));
            }
            Path configuration = Files.writeString(folder.resolve("nginx.conf"),
                    resource("nginx.conf").replace("${servers}", servers));
            return List.of("nginx", "-p", folder.toString(), "-e", "errors.log", "-c", configuration.toString());
        });
    }

    /** Go's own HTTP server. */
    static ProgramFleet go(int size) throws IOException, InterruptedException {
        return new ProgramFleet(size, (folder, ports) -> {
            Files.writeString(folder.resolve("server.go"), resource("server.go.txt"));
            Process build = new ProcessBuilder("go", "build", "-o", "server", "server.go").directory(folder.toFile())
                    .redirectErrorStream(true).redirectOutput(folder.resolve("build").toFile()).start();
            if (!build.waitFor(5, TimeUnit.MINUTES) || build.exitValue() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("build")));
            }
            List<String> command = new ArrayList<>(List.of(folder.resolve("server").toString()));
            ports.forEach(port -> command.add(Integer.toString(port)));
            return command;
        });
    }

    private static String resource(String name) throws IOException {
        try (InputStream text = Objects.requireNonNull(ProgramFleet.class.getResourceAsStream(name))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static boolean listening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    /** The address as {@code host:port}. */
    List<String> addresses() {
        return ports.stream().map(port -> "127.0.0.1:" + port).toList();
    }

    /** From now on the instance answers 503 to everything, health checks included. */
    void fallSick(String address) {
        try {
            Files.createFile(folder.resolve("sick-" + address.substring(address.indexOf(':') + 1)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** How many requests of users each instance got, by its own log. */
    Map<String, Long> requests() {
        Map<String, Long> requests = new TreeMap<>();
        for (int port : ports) {
            Path log = folder.resolve("users-" + port);
            try (Stream<String> lines = Files.exists(log) ? Files.lines(log) : Stream.empty()) {
                requests.put("127.0.0.1:" + port, lines.count());
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
        return requests;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        TemporaryFolder.delete(folder);
    }
}
