// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** A Prometheus server for tests, that of the machine's package {@code prometheus}, which scrapes each second. */
public final class PrometheusProcess implements AutoCloseable {

    private static final int OK = 200;

    private final int port = FreePort.next();

    private final Process process;

    private PrometheusProcess(Path folder, Path configuration) throws IOException {
        process = new ProcessBuilder("prometheus", "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("data"), "--web.listen-address=127.0.0.1:" + port,
                "--log.level=warn").redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile()).start();
    }

    /**
     * Starts a server, and waits until it answers.
     *
     * @param folder for its data and log
     * @param targets the exporters as host:port, in the job {@code exporters}; each shows its metrics at {@code /metrics}
     */
    public static PrometheusProcess start(Path folder, List<String> targets) throws IOException {
        Path configuration = Files.writeString(Files.createDirectories(folder).resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, scrape_timeout: 1s}
                scrape_configs:
                  - job_name: exporters
                    static_configs:
                      - targets: [%s]
                """.formatted(targets.stream().map(target -> "\"" + target + "\"").collect(Collectors.joining(", "))));
        PrometheusProcess server = new PrometheusProcess(folder, configuration);
        Awaitility.await("Prometheus").until(server::isReady);
        return server;
    }

    private boolean isReady() {
        try {
            HttpURLConnection connection = (HttpURLConnection) url().resolve("/-/ready").toURL().openConnection();
            return connection.getResponseCode() == OK;
        } catch (IOException notYet) {
            if (process.isAlive()) {
                return false;
            }
            throw new IllegalStateException("Prometheus ended at once; its log is beside its configuration", notYet);
        }
    }

    /** Returns the address of its API. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Ends the server. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
