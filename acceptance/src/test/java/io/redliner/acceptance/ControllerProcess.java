// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import io.redliner.controller.ControllerApplication;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** Another controller, in a process of its own, over the Kafka and the PostgreSQL of a stack. */
final class ControllerProcess implements AutoCloseable {

    private final Process process;

    private final ApiClient client;

    private ControllerProcess(Process process, ApiClient client) {
        this.process = process;
        this.client = client;
    }

    /**
     * Starts one and waits until it answers.
     *
     * @param folder of its log
     * @param lease time to live of its leases
     */
    static ControllerProcess start(StandaloneStack stack, Path folder, Duration lease) throws IOException {
        int port = FreePort.next();
        File output = folder.resolve("controller-" + port + ".log").toFile();
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                ControllerApplication.class.getName(), "--server.port=" + port,
                "--redliner.controller.driver.lease-ttl=" + lease.toMillis() + "ms",
                "--redliner.kafka.bootstrap-servers=" + stack.bootstrapServers(),
                "--spring.datasource.url=" + stack.databaseUrl()).redirectErrorStream(true).redirectOutput(output)
                .start();
        ControllerProcess started = new ControllerProcess(process,
                new ApiClient(URI.create("http://127.0.0.1:" + port)));
        await("the other controller, see " + output).atMost(Duration.ofMinutes(1)).ignoreExceptions()
                .until(() -> started.client.get("/kill-switch").isObject());
        return started;
    }

    ApiClient client() {
        return client;
    }

    /** As a machine that loses its power. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As a machine that stands still. */
    void hold() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void letGo() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("kill " + signal + " ended with " + status);
        }
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        kill();
    }
}
