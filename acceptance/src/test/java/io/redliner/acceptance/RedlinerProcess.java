// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import io.redliner.standalone.StandaloneCommand;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command in a process of its own, to be killed, interrupted, or started with bad input. */
final class RedlinerProcess implements AutoCloseable {

    private final Process process;

    private final Path output;

    private RedlinerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static RedlinerProcess start(Path folder, List<String> arguments, Map<String, String> environment)
            throws IOException {
        return start(folder, arguments, builder -> builder.environment().putAll(environment));
    }

    /** As on another machine: it knows nothing of this one but the controller's address. */
    static RedlinerProcess startElsewhere(Path folder, URI controller, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", controller.toString()));
        return start(folder, all, builder -> {
            builder.directory(folder.toFile());
            builder.environment().clear();
        });
    }

    private static RedlinerProcess start(Path folder, List<String> arguments, Consumer<ProcessBuilder> settings)
            throws IOException {
        // A shell that starts Maven in the background has it ignore SIGINT, which its children would inherit.
        List<String> command = new ArrayList<>(
                List.of("env", "--default-signal=INT",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                        StandaloneCommand.class.getName()));
        command.addAll(arguments);
        Path output = Files.createTempFile(Files.createDirectories(folder), "redliner", ".out");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        settings.accept(builder);
        return new RedlinerProcess(builder.start(), output);
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    /** Waits for text that matches, and returns the pattern's first group. */
    String awaitOutput(String pattern, Duration limit) {
        Pattern compiled = Pattern.compile(pattern);
        return await("output " + pattern).atMost(limit).pollInterval(Duration.ofMillis(100)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("ended with " + process.exitValue() + ": " + output());
            }
            Matcher matcher = compiled.matcher(output());
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.<String>empty();
        }, Optional::isPresent).orElseThrow();
    }

    int awaitExit(Duration limit) throws InterruptedException, IOException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("still running after " + limit + ": " + output());
        }
        return process.exitValue();
    }

    /** The process itself, to be signalled. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    void kill() {
        process.destroyForcibly();
    }

    void interrupt() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }

    /** Ends it in its order when it still runs, because a test failed: it takes its proxy and its database with it. */
    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
