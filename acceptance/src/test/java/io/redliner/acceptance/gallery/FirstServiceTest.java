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
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * The first service of the guide, two instances, on a machine that is quiet or crowded: no capacity is wrong by more than a tenth and
 * sure. One run beside each kind of neighbours and one recheck, or {@code -Dfirst-service.runs=10}, beside
 * {@code -Dfirst-service.neighbours=NONE,LOOPS} alone; all runs are lines of {@code target/first-service.csv}.
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

    private static final int WORKERS = 5;

    private static final double WRONG = 0.1;

    private static final int MAX_DOUBTFUL = 3;

    private static final String RECHECK = "recheck";

    private static final String SLA = "sla: [{name: latency, expr: \"latency.p95 <= duration('400ms')\"},"
            + " {name: errors, expr: \"error_rate <= 0.01\"}]";

    private static final String LIMITS = "limits: {maxShare: 90%, maxRaise: 1.5x, maxDuration: 5m, harmBudget: 5%, window: 1s}";

    private static final Duration LIMIT = Duration.ofMinutes(8);

    @TempDir
    Path folder;

    private int users;

    private int tested;

    private LiveStack stack;

    private WalledProcess peer;

    @BeforeEach
    void serve() throws Exception {
        users = FreePort.next();
        tested = FreePort.next();
        int other = FreePort.next();
        peer = python("server.py", other, 20);
        peer.awaitListening(other);
        stack = new LiveStack(Map.of());
        stack.serve(SERVICE, """
                  - name: %s
                    listen: "127.0.0.1:%d"
                    instances: ["127.0.0.1:%d", "127.0.0.1:%d"]
                """.formatted(SERVICE, users, tested, other));
    }

    @AfterEach
    void end() throws Exception {
        try (WalledProcess last = peer; LiveStack first = stack) {
            // Both are closed, also when the second did not start.
        }
    }

    static List<Neighbours> neighbours() {
        return ChosenCases.of(Neighbours.class, "first-service.neighbours");
    }

    @ParameterizedTest
    @MethodSource("neighbours")
    void a_capacity_that_is_wrong_is_doubted(Neighbours neighbours) throws Exception {
        try (WalledProcess server = server(WORKERS)) {
            stack.controller().putPlan(SERVICE, plan(tested));
            for (int run = 1; run <= RUNS; run++) {
                try (AutoCloseable beside = neighbours.come(folder)) {
                    JsonNode ended = run(SERVICE);
                    write(neighbours.name(), run, ended);
                    assertNotFooled(ended.path("result"));
                }
            }
        }
    }

    @Test
    void a_recheck_tells_a_server_that_lost_a_worker_from_one_that_is_as_it_was() throws Exception {
        stack.controller().putVersion(SERVICE, "127.0.0.1:" + tested, "1");
        stack.controller().putPlan(SERVICE, plan(tested));
        stack.controller().putPlan(RECHECK, PlanText.named(RECHECK, SERVICE, "127.0.0.1:" + tested, SLA, LIMITS,
                "profile: recheck"));
        try (WalledProcess server = server(WORKERS)) {
            boolean known = false;
            for (int run = 1; run <= MAX_DOUBTFUL && !known; run++) {
                JsonNode ended = run(SERVICE);
                write("KNOWN", WORKERS, ended);
                known = isSure(ended.path("result"));
            }
            assertThat(known).as("a recheck compares with a capacity that nothing doubts").isTrue();
            for (int run = 1; run <= RUNS; run++) {
                assertThat(recheck(WORKERS)).as("nothing moved").isNotEqualTo("Moved");
            }
        }
        try (WalledProcess server = server(WORKERS - 1)) {
            for (int run = 1; run <= RUNS; run++) {
                assertThat(recheck(WORKERS - 1)).as("a fifth less").isNotEqualTo("AsBefore");
            }
        }
    }

    private String recheck(int workers) throws IOException {
        JsonNode ended = run(RECHECK);
        write(RECHECK, workers, ended);
        return ended.path("stopReason").path("code").asString();
    }

    private WalledProcess server(int workers) throws IOException {
        WalledProcess server = python("server.py", tested, workers);
        server.awaitListening(tested);
        return server;
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
        return PlanText.of(SERVICE, "127.0.0.1:" + tested, SLA,
                "guards: [{name: fleet-errors, expr: \"service.error_rate <= 0.05\"}]", LIMITS);
    }

    private JsonNode run(String plan) throws IOException {
        ApiClient controller = stack.controller();
        try (WalledProcess load = python("load.py", "http://127.0.0.1:" + users + "/", 130, LIMIT.toSeconds())) {
            await("a service with traffic").atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofSeconds(1))
                    .until(() -> controller.get("/services").path("items").valueStream()
                            .anyMatch(item -> item.path("name").asString().equals(SERVICE)
                                    && item.path("fresh").asBoolean() && !item.path("proxies").isEmpty()
                                    && !item.hasNonNull("liveRun")));
            return RunEnd.awaitOf(controller, controller.startRun(plan), LIMIT);
        }
    }

    private static void assertNotFooled(JsonNode result) {
        double capacity = result.path("capacity").asDouble(Double.NaN);
        if (isSure(result) && !result.path("lowerBound").asBoolean()) {
            assertThat(capacity / CONSTRUCTED).as("%s, which is sure", result).isBetween(1 - WRONG, 1 + WRONG);
        }
    }

    private static String doubts(JsonNode run) {
        return run.path("validity").valueStream().filter(check -> check.path("verdict").asString().equals("DOUBTFUL"))
                .map(check -> check.path("name").asString() + ": " + check.path("words").asString() + "; ")
                .collect(Collectors.joining());
    }

    private static boolean isSure(JsonNode result) {
        return result.path("certainty").path("level").asString("").equals("SURE");
    }

    private static void write(String kind, int number, JsonNode run) throws IOException {
        JsonNode result = run.path("result");
        String line = String.format(Locale.ROOT, "%s,%d,%s,%.1f,%.1f,%.1f,%s,%s,%s", kind, number,
                run.path("outcome").asString(), result.path("capacity").asDouble(Double.NaN),
                result.path("low").asDouble(Double.NaN), result.path("high").asDouble(Double.NaN),
                result.path("lowerBound").asBoolean(), result.path("certainty").path("level").asString("-"),
                (doubts(run) + run.path("stopReason").path("detail").asString("")).replace(',', ';'));
        Files.writeString(RESULTS, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(line);
    }
}
