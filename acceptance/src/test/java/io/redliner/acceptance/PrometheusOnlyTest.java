// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.LineOutput;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoResult;
import io.redliner.standalone.demo.DemoRun;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import io.redliner.testkit.PrometheusProcess;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A team that has a Prometheus server: the only gauges of a run are those that it scraped of the instances. */
@Tag("soak")
class PrometheusOnlyTest {

    /** Runs that a busy machine may leave without an answer. */
    private static final int ATTEMPTS = 3;

    @TempDir
    Path folder;

    private final DemoService service = DemoService.start(FreePort.next());

    @AfterEach
    void stop() {
        service.fleet().close();
    }

    private static Map<String, String> settings(PrometheusProcess prometheus) {
        return Map.of("redliner.collector.host.enabled", "false", "redliner.collector.jvm.enabled", "false",
                "redliner.collector.sockets.enabled", "false", "redliner.collector.prometheus.url",
                prometheus.url().toString(), "redliner.collector.prometheus.interval", "1s",
                "redliner.collector.prometheus.timeout", "1s", "redliner.collector.prometheus.scrape-interval", "1s",
                "redliner.collector.prometheus.presets[0].name", "micrometer");
    }

    @Test
    void a_run_finds_the_pool_that_limits_the_instance() throws Exception {
        try (PrometheusProcess prometheus = PrometheusProcess.start(folder.resolve("prometheus"),
                service.fleet().addresses());
                DataFolder data = DataFolder.lock(folder.resolve("data"));
                StandaloneStack stack = new StandaloneStack(
                        new StackSettings(data, service.writeServicesFile(folder), 0,
                                EnvoyBinary.locate(), settings(prometheus)));
                DemoTraffic traffic = service.traffic()) {
            stack.start();
            traffic.start();
            DemoResult result = answer(traffic, stack);
            assertThat(result.ending().outcome()).as(result.ending().stopReason()).isEqualTo("CAPACITY_FOUND");
            assertThat(result.bottleneck().toString()).as("its requests wait for its workers")
                    .startsWith("[THREAD_OR_CONNECTION_POOL").contains("a pool");
        }
    }

    private DemoResult answer(DemoTraffic traffic, StandaloneStack stack) throws Exception {
        try (ControllerClient controller = new ControllerClient(stack.dashboard(), null)) {
            LineOutput output = new LineOutput(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
            DemoResult result = new DemoRun(service, traffic, controller, output).run();
            for (int attempt = 1; attempt < ATTEMPTS
                    && result.ending().outcome().equals("INCONCLUSIVE"); attempt++) {
                result = new DemoRun(service, traffic, controller, output).run();
            }
            return result;
        }
    }
}
