// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, with {@link TestedJvmMain}. */
final class TestedJvm implements AutoCloseable {

    private final Process process;

    private final int port;

    private TestedJvm(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static TestedJvm start(List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(options);
        command.addAll(List.of("-cp", "target/test-classes", TestedJvmMain.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        while (line != null && !line.matches("[0-9]+")) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException(command + " ended with " + process.exitValue());
        }
        return new TestedJvm(process, Integer.parseInt(line));
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    Target target() {
        return new Target(new InstanceId("shop", "127.0.0.1:" + port), port, true, Optional.empty(),
                Optional.of("local"));
    }

    /** Stops it as the operating system would, or lets it go on. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
