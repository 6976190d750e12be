// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A program of the gallery as a process of its own, which ends with this JVM. */
final class GalleryServer implements AutoCloseable {

    private static final Path CPU_GROUPS = Path.of("/sys/fs/cgroup");

    private static final int PERIOD_MICROS = 100_000;

    private final Process process;

    private final BufferedReader output;

    private final int port;

    private final @Nullable Path group;

    private GalleryServer(List<String> command, @Nullable Path group) throws IOException {
        this.group = group;
        List<String> all = new ArrayList<>(List.of("sh", "-c",
                "[ -z \"$GROUP\" ] || echo $$ > \"$GROUP/cgroup.procs\" || exit 9; exec \"$@\"", "gallery"));
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("GROUP", group == null ? "" : group.toString());
        process = builder.start();
        output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            close();
            throw new IOException(command + " has ended");
        }
        port = Integer.parseInt(line);
    }

    /** Starts {@code server.py}, see there. */
    static GalleryServer python(String... arguments) throws IOException {
        return new GalleryServer(pythonCommand(arguments), null);
    }

    /** Starts {@code server.py} in a control group of its own, with a quota of so many cores. */
    static GalleryServer pythonWithQuota(double cores, String... arguments) throws IOException {
        return new GalleryServer(pythonCommand(arguments), group((int) (cores * PERIOD_MICROS)));
    }

    /** Starts a source file of the gallery in a JVM. */
    static GalleryServer java(String source, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx128m", resource(source).toString()));
        command.addAll(List.of(arguments));
        return new GalleryServer(command, null);
    }

    /** host:port */
    String address() {
        return "127.0.0.1:" + port;
    }

    private static List<String> pythonCommand(String... arguments) {
        List<String> command = new ArrayList<>(List.of("python3", resource("server.py").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(GalleryServer.class.getResource("/gallery/" + name)).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a control group, of whichever version is here; needs root. */
    private static Path group(int quotaMicros) throws IOException {
        String name = "redliner-gallery-" + ProcessHandle.current().pid() + "-" + System.identityHashCode(new Object());
        if (Files.exists(CPU_GROUPS.resolve("cgroup.controllers"))) {
            Files.writeString(CPU_GROUPS.resolve("cgroup.subtree_control"), "+cpu");
            Path folder = Files.createDirectory(CPU_GROUPS.resolve(name));
            Files.writeString(folder.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
            return folder;
        }
        Path folder = Files.createDirectory(CPU_GROUPS.resolve("cpu").resolve(name));
        Files.writeString(folder.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
        Files.writeString(folder.resolve("cpu.cfs_quota_us"), Integer.toString(quotaMicros));
        return folder;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        if (group != null) {
            Files.deleteIfExists(group);
        }
    }
}
