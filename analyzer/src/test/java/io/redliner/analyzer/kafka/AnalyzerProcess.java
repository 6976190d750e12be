// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.AnalyzerApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An analyzer in a process of its own, that can be killed. */
final class AnalyzerProcess implements AutoCloseable {

    /** Longer than by default, so that a busy machine does not make windows inconclusive. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private final Process process;

    private AnalyzerProcess(Process process) {
        this.process = process;
    }

    static AnalyzerProcess start(Path folder, String bootstrapServers) throws IOException {
        var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), AnalyzerApplication.class.getName()));
        command.addAll(arguments(folder, bootstrapServers));
        var output = Files.createDirectories(folder).resolve("analyzer.out").toFile();
        return new AnalyzerProcess(
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start());
    }

    /** With a session timeout below what brokers accept by default. */
    static List<String> arguments(Path folder, String bootstrapServers) {
        return List.of("--server.port=0", "--redliner.kafka.bootstrap-servers=" + bootstrapServers,
                "--redliner.analyzer.stream.state-directory=" + folder.resolve("streams"),
                "--redliner.analyzer.stream.grace=" + GRACE.toMillis() + "ms",
                "--redliner.analyzer.stream.catch-up=10s", "--redliner.analyzer.stream.session-timeout=1500ms",
                "--redliner.analyzer.stream.heartbeat-interval=300ms");
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
