// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A collector in a process of its own, as small as it goes: the options that the README tells node agents to use. */
final class NodeAgent implements AutoCloseable {

    /** A small heap, no optimising compiler, which would take more memory than it saves time here, small stacks. */
    private static final List<String> OPTIONS = List.of("-Xmx48m", "-Xss256k", "-XX:+UseSerialGC",
            "-XX:ReservedCodeCacheSize=32m", "-XX:+UseCompactObjectHeaders", "--enable-native-access=ALL-UNNAMED");

    private static final Pattern RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int KIB_IN_MIB = 1_024;

    private final Process process;

    private NodeAgent(Process process) {
        this.process = process;
    }

    /**
     * Starts one, and waits until it listens.
     *
     * @param classPath of the collector alone
     */
    static NodeAgent start(String classPath, int port, String bootstrapServers, File log, List<String> settings)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", classPath, "io.redliner.collector.CollectorApplication", "--server.port=0",
                "--redliner.collector.access-log.port=" + port, "--redliner.collector.access-log.threads=1",
                "--redliner.kafka.bootstrap-servers=" + bootstrapServers));
        command.addAll(settings);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        NodeAgent agent = new NodeAgent(builder.start());
        for (int tenth = 0; !listens(port); tenth++) {
            if (tenth > PATIENCE.toSeconds() * 10 || !agent.process.isAlive()) {
                agent.close();
                throw new IOException("The collector does not listen; see " + log);
            }
            pause(Duration.ofMillis(100));
        }
        return agent;
    }

    /** Processor time so far. */
    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElseThrow();
    }

    /** The most memory that was resident, in MiB. */
    double residentMib() throws IOException {
        Matcher matcher = RESIDENT.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
        if (!matcher.find()) {
            throw new IOException("The system does not say what was resident");
        }
        return Double.parseDouble(matcher.group(1)) / KIB_IN_MIB;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    static void pause(Duration time) throws InterruptedException {
        if (new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("nobody counts it down");
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
