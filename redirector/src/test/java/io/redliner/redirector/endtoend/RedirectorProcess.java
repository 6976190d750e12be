// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.awaitility.Awaitility.await;

import io.redliner.redirector.RedirectorApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A redirector as a process of its own, which can be killed. */
final class RedirectorProcess implements AutoCloseable {

    private final Process process;

    private final int xdsPort;

    RedirectorProcess(String name, String kafka, Path services, int xdsPort, Path folder) {
        this.xdsPort = xdsPort;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                RedirectorApplication.class.getName(), "--server.port=0",
                "--redliner.kafka.bootstrap-servers=" + kafka,
                "--redliner.redirector.messaging.redirector=" + name,
                "--redliner.redirector.services.file=" + services, "--redliner.redirector.xds.port=" + xdsPort));
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(folder.resolve(name + ".log").toFile()).start();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    int xdsPort() {
        return xdsPort;
    }

    /** {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        await().until(() -> !process.isAlive());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
