// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Against answers as the controller's API documents them. */
@Execution(ExecutionMode.CONCURRENT)
class RunPlanCommandTest {

    private final Queue<String> looks = new ConcurrentLinkedQueue<>();

    private final List<String> keys = new CopyOnWriteArrayList<>();

    private final StringWriter said = new StringWriter();

    private final StringWriter errors = new StringWriter();

    private HttpServer controller;

    private volatile int validation = 200;

    private volatile String valid = "{\"valid\": true}";

    private volatile int start = 202;

    private volatile String answer = "{}";

    /** All that was printed before the run was started. */
    private volatile String saidBefore = "";

    private volatile String location = "/api/v1/runs/run-1";

    @TempDir
    Path folder;

    @BeforeEach
    void startController() throws IOException {
        controller = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        controller.createContext("/api/v1/plans:validate", exchange -> answer(exchange, validation,
                validation == 200 ? valid : answer));
        controller.createContext("/api/v1/", exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                saidBefore = said.toString() + errors;
                keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                exchange.getResponseHeaders().add("Location", location);
                answer(exchange, start, answer);
            } else {
                String look = looks.size() > 1 ? looks.remove() : looks.element();
                answer(exchange, look.isEmpty() ? 503 : 200, look.isEmpty() ? "{}" : look);
            }
        });
        controller.start();
    }

    @AfterEach
    void stopController() {
        controller.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private int run(String... options) throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "kind: CapacityTest");
        return RedlinerCommand.commandLine(RedlinerCommand.VERBS)
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(errors, true))
                .execute(Stream.concat(Stream.of("run", plan.toString(), "--url",
                        "http://127.0.0.1:" + controller.getAddress().getPort()), Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    void what_the_author_should_know_is_said_before_the_run_begins() throws IOException {
        valid = "{\"valid\": true, \"notes\": [\"rule 'a' is a level\", \"rule 'b' is one, too\"]}";
        looks.add("{\"phase\": \"Finished\", \"outcome\": \"PASSED\", \"exitCode\": 0}");

        assertThat(run()).isZero();
        assertThat(said.toString()).contains("Note: rule 'a' is a level", "Note: rule 'b' is one, too")
                .containsSubsequence("Note:", "Started", "PASSED");
        assertThat(saidBefore).contains("Note: rule 'a' is a level");
        assertThat(run("--detach")).isZero();
        assertThat(said.toString().split("Note: rule 'a' is a level", -1)).hasSize(3);
        assertThat(run("--output", "json")).isZero();
        assertThat(errors.toString()).contains("Note: rule 'a' is a level");
    }

    @Test
    void follows_a_run_to_its_end_and_ends_with_its_code() throws Exception {
        looks.add("{\"phase\": \"Preparing\", \"choice\": {\"instance\": \"a:1\", \"why\": \"the only instance\"}}");
        looks.add("");
        looks.add("""
                {"phase": "Finished", "outcome": "CAPACITY_FOUND", "stopReason": {"detail": "confirmed"}, "exitCode": 0,
                 "result": {"capacity": 395, "low": 390, "high": 400.04, "lowerBound": false}}""");

        assertThat(run()).isZero();
        assertThat(said.toString().lines().map(line -> line.replaceFirst("after \\d+:\\d+$", "after SOME TIME")))
                .containsExactly(
                        "Started http://127.0.0.1:" + controller.getAddress().getPort()
                                + "/runs/run-1",
                        "End it: redliner abort run-1 --reason TEXT",
                        "Chosen: a:1, the only instance", "Phase Preparing",
                        "Lost the connection (the controller at http://127.0.0.1:" + controller.getAddress().getPort()
                                + " answers 503); it goes on, connecting again",
                        "Connected again, after SOME TIME",
                        "Finished: CAPACITY_FOUND, confirmed", "Capacity 395 requests/s (95 %: 390 to 400)");
        assertThat(keys).hasSize(1).doesNotContainNull();
    }

    @Test
    void a_doubt_stands_beside_the_number_and_fails_the_pipeline_that_asks_for_it() throws Exception {
        String doubtful = """
                {"phase": "Finished", "outcome": "CAPACITY_FOUND", "stopReason": {"detail": "confirmed"}, "exitCode": 0,
                 "result": {"capacity": 395, "low": 390, "high": 400.04, "lowerBound": false,
                            "certainty": {"level": "DOUBTFUL", "words": "doubtful: host"}}}""";
        String unknown = doubtful.replace("DOUBTFUL", "CANNOT_BE_KNOWN").replace("doubtful: host",
                "how sure cannot be known: there is one peer");
        String sure = doubtful.replace("DOUBTFUL", "SURE").replace("doubtful: host\"}", "\"}, \"combined\":"
                + " {\"capacity\": 394, \"low\": 391, \"high\": 398, \"runs\": 3}");
        looks.addAll(List.of(doubtful, doubtful, unknown, unknown, sure, sure));

        assertThat(run("--fail-on-doubt")).isEqualTo(98);
        assertThat(said.toString()).contains("Capacity 395 requests/s (95 %: 390 to 400), doubtful: host");
        assertThat(run("--fail-on-doubt")).isEqualTo(98);
        assertThat(said.toString()).contains(", how sure cannot be known: there is one peer");
        assertThat(run("--fail-on-doubt")).isZero();
        assertThat(said.toString()).contains("390 to 400); of 3 runs together: 394 (391 to 398)");
    }

    @Test
    void a_run_that_is_to_be_explained_ends_with_its_curve() throws Exception {
        String over = """
                {"profile": "capacity", "phase": "Finished", "outcome": "CAPACITY_FOUND", "exitCode": 0,
                 "stopReason": {"detail": "confirmed"}, "result": {"capacity": 395, "low": 390, "high": 400}}""";
        looks.addAll(List.of(over, over));

        assertThat(run("--explain")).isZero();
        assertThat(said.toString())
                .endsWith("\n\nNo curve was recorded: the search had no step, or the run is\nof an older version.\n");
        assertThat(run("--explain", "--detach")).isEqualTo(2);
        assertThat(errors.toString()).contains("--explain waits for the end of the run: leave --detach out");
    }

    @Test
    void a_worse_version_fails_the_pipeline() throws Exception {
        location = "/api/v1/series/series-1";
        looks.add(
                """
                        {"phase": "Finished", "outcome": "COMPLETED", "reason": "all 2 runs are over", "exitCode": 99,
                         "members": [{"number": 1, "label": "old", "instance": "a:1", "outcome": "CAPACITY_FOUND", "reason": "ok"}],
                         "result": {"verdict": "WORSE", "words": "capacity: -25 %"}}""");

        assertThat(run()).isEqualTo(99);
        assertThat(said.toString()).contains("Run 1 (old, a:1): CAPACITY_FOUND, ok", "WORSE: capacity: -25 %");
    }

    @Test
    void mistakes_of_a_plan_are_reported_with_file_line_and_column() throws Exception {
        validation = 400;
        answer = "{\"errors\": [{\"field\": \"$.spec\", \"line\": 3, \"column\": 7, \"message\": \"is required\"}]}";

        assertThat(run()).isEqualTo(104);
        assertThat(errors.toString()).endsWith("plan.yaml:3:7: $.spec: is required\n");
        assertThat(keys).as("nothing is started").isEmpty();
    }

    @Test
    void a_plan_that_cannot_be_carried_out_is_bad_and_a_busy_service_is_not() throws Exception {
        start = 422;
        answer = "{\"field\": \"$.spec.sut.select\", \"detail\": \"no instance of version 2\"}";
        assertThat(run()).isEqualTo(104);
        assertThat(errors.toString()).endsWith("plan.yaml: $.spec.sut.select: no instance of version 2\n");

        start = 409;
        answer = "{\"title\": \"The service is being tested\", \"detail\": \"by run-7\"}";
        assertThat(run()).isEqualTo(1);
        assertThat(errors.toString()).contains("answers 409: The service is being tested: by run-7");
    }

    @Test
    void what_cannot_be_known_is_no_success() throws Exception {
        looks.add("{\"phase\": \"Finished\", \"outcome\": \"CAPACITY_FOUND\"}");
        assertThat(run()).as("an older controller has no code").isEqualTo(1);

        controller.stop(0);
        assertThat(run()).isEqualTo(1);
        assertThat(errors.toString()).contains("no answer from the controller at http://127.0.0.1");
    }

    @Test
    void a_plan_that_is_not_there_is_named() {
        int code = RedlinerCommand.commandLine(RedlinerCommand.VERBS).setErr(new PrintWriter(errors, true))
                .execute("run", "none.yaml");

        assertThat(code).isEqualTo(2);
        assertThat(errors.toString()).contains("There is no plan file").contains("none.yaml");
    }
}
