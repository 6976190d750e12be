// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import static org.awaitility.Awaitility.await;

import io.redliner.controller.ControllerApplication;
import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A controller in a process of its own, which can be killed, stopped and held. */
public final class ControllerProcess implements AutoCloseable {

    private final Process process;

    private final Client client;

    private ControllerProcess(Process process, Client client) {
        this.process = process;
        this.client = client;
    }

    /** Starts one and waits until it answers. Its log is in {@code target}. */
    static ControllerProcess start(List<String> arguments) {
        int port = FreePort.next();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        Optional.ofNullable(System.getProperty("kubeconfig")).ifPresent(file -> command.add("-Dkubeconfig=" + file));
        command.addAll(List.of(ControllerApplication.class.getName(), "--server.port=" + port));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(Path.of("target", "controller-on-port-" + port + ".log").toFile())
                    .start();
            ControllerProcess started = new ControllerProcess(process, new Client(port));
            await().ignoreExceptions()
                    .ignoreExceptionsMatching(AssertionError.class::isInstance)
                    .until(() -> started.client.get("/api/v1/kill-switch").status() == 200);
            return started;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public Client client() {
        return client;
    }

    /** As a machine that loses its power. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Tells it to stop, in its own way. */
    public void terminate() {
        process.destroy();
    }

    /** Whether it has ended within that time. */
    public boolean ends(Duration within) throws InterruptedException {
        return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** As a machine that stands still. */
    public void hold() {
        signal("-STOP", process.pid());
    }

    public void letGo() {
        signal("-CONT", process.pid());
    }

    static void signal(String signal, long pid) {
        try {
            int code = new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
            if (code != 0) {
                throw new AssertionError("kill " + signal + " ended with " + code);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
