// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.acceptance.ApiClient;
import io.redliner.acceptance.LiveStack;
import io.redliner.acceptance.RunEnd;
import io.redliner.embedded.FreePort;
import io.redliner.testkit.PlanText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * The first service of the guide, two instances, on a machine that is quiet or crowded: no capacity is wrong by more than a tenth and
 * sure. One run beside each kind of neighbours, or {@code -Dfirst-service.runs=10}; all runs are lines of
 * {@code target/first-service.csv}.
 */
@Tag("gallery")
class FirstServiceTest {

    private static final int RUNS = Integer.getInteger("first-service.runs", 1);

    private static final Path RESULTS = Path.of("target", "first-service.csv");

    private static final Path EXAMPLE = Path.of("..", "deploy", "examples", "first-service").toAbsolutePath()
            .normalize();

    private static final String SERVICE = "hello";

    /** Five workers that take 50 ms for a request. */
    private static final double CONSTRUCTED = 100;

    private static final double WRONG = 0.1;

    private static final Duration LIMIT = Duration.ofMinutes(8);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_capacity_that_is_wrong_is_doubted(Neighbours neighbours) throws Exception {
        int users = FreePort.next();
        int tested = FreePort.next();
        int peer = FreePort.next();
        try (WalledProcess server = python("server.py", tested, 5);
                WalledProcess other = python("server.py", peer, 20);
                LiveStack stack = new LiveStack(Map.of())) {
            server.awaitListening(tested);
            other.awaitListening(peer);
            stack.serve(SERVICE, """
                      - name: %s
                        listen: "127.0.0.1:%d"
                        instances: ["127.0.0.1:%d", "127.0.0.1:%d"]
                    """.formatted(SERVICE, users, tested, peer));
            stack.controller().putPlan(SERVICE, plan(tested));
            for (int run = 1; run <= RUNS; run++) {
                try (WalledProcess load = python("load.py", "http://127.0.0.1:" + users + "/", 130, LIMIT.toSeconds());
                        AutoCloseable beside = neighbours.come(folder)) {
                    JsonNode ended = run(stack.controller());
                    write(neighbours, run, ended);
                    assertNotFooled(ended.path("result"));
                }
            }
        }
    }

    private static WalledProcess python(String script, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", EXAMPLE.resolve(script).toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new WalledProcess(command, List.of());
    }

    /** The plan of the guide. */
    private static String plan(int tested) {
        return PlanText.of(SERVICE, "127.0.0.1:" + tested,
                "sla: [{name: latency, expr: \"latency.p95 <= duration('400ms')\"},"
                        + " {name: errors, expr: \"error_rate <= 0.01\"}]",
                "guards: [{name: fleet-errors, expr: \"service.error_rate <= 0.05\"}]",
                "limits: {maxShare: 90%, maxRaise: 1.5x, maxDuration: 5m, harmBudget: 5%, window: 1s}");
    }

    private static JsonNode run(ApiClient controller) {
        await("a service with traffic").atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofSeconds(1))
                .until(() -> controller.get("/services").path("items").valueStream()
                        .anyMatch(item -> item.path("name").asString().equals(SERVICE) && item.path("fresh").asBoolean()
                                && !item.path("proxies").isEmpty() && !item.hasNonNull("liveRun")));
        return RunEnd.awaitOf(controller, controller.startRun(SERVICE), LIMIT);
    }

    private static void assertNotFooled(JsonNode result) {
        double capacity = result.path("capacity").asDouble(Double.NaN);
        boolean sure = result.path("certainty").path("level").asString("").equals("SURE");
        if (sure && !result.path("lowerBound").asBoolean()) {
            assertThat(capacity / CONSTRUCTED).as("%s, which is sure", result).isBetween(1 - WRONG, 1 + WRONG);
        }
    }

    private static void write(Neighbours neighbours, int number, JsonNode run) throws IOException {
        JsonNode result = run.path("result");
        String line = String.format(Locale.ROOT, "%s,%d,%s,%.1f,%.1f,%.1f,%s,%s,%s", neighbours, number,
                run.path("outcome").asString(), result.path("capacity").asDouble(Double.NaN),
                result.path("low").asDouble(Double.NaN), result.path("high").asDouble(Double.NaN),
                result.path("lowerBound").asBoolean(), result.path("certainty").path("level").asString("-"),
                (result.path("certainty").path("words").asString("") + " " + run.path("stopReason").path("detail")
                        .asString("")).replace(',', ';'));
        Files.writeString(RESULTS, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(line);
    }
}
