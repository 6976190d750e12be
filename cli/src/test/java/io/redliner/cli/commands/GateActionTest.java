// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate of the GitHub action, {@code deploy/github/gate}, with a command line and a GitHub that answer as the real ones do. */
class GateActionTest {

    private static final Path GATE = Path.of("../deploy/github/gate").toAbsolutePath().normalize();

    private static final String REDLINER = """
            #!/bin/bash
            echo "$*" >> "$CALLS/redliner"
            case $1 in
              run) [ ! -e "$CALLS/refused" ] || exit 104; echo '{"id": "r-1", "phase": "Pending"}' ;;
              watch) echo '0:01 Baseline'; exit "$CODE" ;;
              status) cat "$CALLS/view" ;;
            esac
            """;

    private static final String FOUND = """
            {"id": "r-1", "outcome": "CAPACITY_FOUND", "finishedAt": "2026-11-30T10:00:00Z", "headline": "Capacity of a:1 of shop: 291 requests/s",
             "result": {"capacity": 291.4, "low": 233.1, "high": 308.4, "lowerBound": false, "limitingRule": "latency",
              "limitingValue": 0.225, "limitingThreshold": 0.2, "certainty": {"level": "DOUBTFUL", "words": "doubtful: noise"}},
             "previous": {"runId": "r-0", "capacity": 280, "change": 0.041}, "harm": {"requests": 322, "allowed": 3889},
             "restore": {"proof": "MEASURED"}}
            """;

    @TempDir
    Path folder;

    private FakeController github;

    @BeforeEach
    void start() throws IOException {
        github = new FakeController().on("POST /repos/o/r/statuses/abc", 201, "{}")
                .on("GET /repos/o/r/issues/7/comments?per_page=100&page=1", 200, "[{\"id\": 1, \"body\": \"hello\"}]")
                .on("POST /repos/o/r/issues/7/comments", 201, "{}");
        Path program = Files.writeString(Files.createDirectory(folder.resolve("bin")).resolve("redliner"), REDLINER);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("view"), FOUND);
    }

    @AfterEach
    void stop() {
        github.close();
    }

    /** Runs the gate; what it printed is in the file {@code log}. */
    private int gate(int code, Map<String, String> more) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("python3", "-B", GATE.toString()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        Map<String, String> environment = new HashMap<>(Map.of("PLAN", "gate.yaml", "COMMENT", "true", "STATUS",
                "redliner/shop", "PULL_REQUEST", "7", "COMMIT", "abc", "REDLINER_URL", "https://redliner.example.com/",
                "GITHUB_REPOSITORY", "o/r", "GITHUB_API_URL", github.url(), "CALLS", folder.toString(), "CODE",
                "" + code));
        environment.put("GITHUB_OUTPUT", folder.resolve("outputs").toString());
        environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        environment.putAll(more);
        builder.environment().putAll(environment);
        return builder.start().waitFor();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("redliner"));
    }

    @Test
    void comments_with_the_figures_and_sets_the_status() throws Exception {
        assertThat(gate(0, Map.of())).isZero();

        assertThat(calls()).containsExactly("run gate.yaml --detach --output json", "watch r-1",
                "status r-1 --output json");
        assertThat(github.asked()).hasSize(4);
        assertThat(github.asked().get(0)).contains("\"state\": \"pending\"", "\"context\": \"redliner/shop\"");
        assertThat(github.asked().get(1)).contains("\"state\": \"success\"", "Capacity of a:1 of shop: 291",
                "\"target_url\": \"https://redliner.example.com/runs/r-1\"");
        assertThat(github.asked().getLast()).startsWith("POST /repos/o/r/issues/7/comments ").contains(
                "<!-- redliner gate.yaml -->", "`gate.yaml`: passed",
                "| capacity | 291.4 requests/s (95 %: 233.1 to 308.4) |", "| how sure | doubtful: noise |",
                "| limited by | latency: 0.225 against 0.2 |", "| before | 280 requests/s (+4.1%) |",
                "| harm by the test | 322 requests of 3889 that the budget allows |",
                "| traffic restored | MEASURED |");
        assertThat(folder.resolve("outputs")).hasContent("run=r-1\nexit-code=0\noutcome=CAPACITY_FOUND");
    }

    @Test
    void a_lower_bound_has_no_interval() throws Exception {
        Files.writeString(folder.resolve("view"), FOUND.replace("\"high\": 308.4, \"lowerBound\": false",
                "\"high\": 0, \"lowerBound\": true"));

        assertThat(gate(0, Map.of())).isZero();

        assertThat(github.asked().getLast()).contains("| capacity | at least 233.1 requests/s |");
    }

    @Test
    void replaces_its_comment_of_before() throws Exception {
        github.on("GET /repos/o/r/issues/7/comments?per_page=100&page=1", 200,
                "[{\"id\": 1, \"body\": \"hello\"}, {\"id\": 5, \"body\": \"<!-- redliner gate.yaml -->\\nold\"}]")
                .on("PATCH /repos/o/r/issues/comments/5", 200, "{}");

        assertThat(gate(99, Map.of())).isEqualTo(99);

        assertThat(github.asked().get(1)).contains("\"state\": \"failure\"");
        assertThat(github.asked().getLast()).startsWith("PATCH /repos/o/r/issues/comments/5 ")
                .contains("the SLA or a guard was broken");
    }

    @Test
    void no_answer_is_no_success() throws Exception {
        Files.writeString(folder.resolve("view"), "{\"id\": \"r-1\", \"outcome\": \"INCONCLUSIVE\"}");

        assertThat(gate(98, Map.of("FAIL_ON_DOUBT", "true"))).isEqualTo(98);

        assertThat(calls()).contains("watch r-1 --fail-on-doubt");
        assertThat(github.asked().get(1)).contains("\"state\": \"error\"", "\"description\": \"no answer\"");
        assertThat(github.asked().getLast()).contains("`gate.yaml`: no answer").doesNotContain("capacity |");
    }

    @Test
    void a_plan_that_is_refused_begins_nothing() throws Exception {
        Files.createFile(folder.resolve("refused"));

        assertThat(gate(0, Map.of())).isEqualTo(104);

        assertThat(calls()).hasSize(1);
        assertThat(github.asked().get(1)).contains("\"state\": \"error\"", "the plan was refused");
    }

    @Test
    void the_verdict_stays_when_github_refuses_and_nothing_is_sent_that_nobody_asked_for() throws Exception {
        github.on("GET /repos/o/r/issues/7/comments?per_page=100&page=1", 403, "{}");
        assertThat(gate(0, Map.of("STATUS", ""))).isZero();
        assertThat(folder.resolve("log")).content()
                .contains("::warning title=RedLiner::GitHub refused GET issues/7/comments: HTTP Error 403");

        // The connection ends before the answer, and within it.
        github.on("POST /repos/o/r/statuses/abc", HttpExchange::close);
        github.on("GET /repos/o/r/issues/7/comments?per_page=100&page=1", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('[');
            exchange.getResponseBody().flush();
            exchange.close();
        });
        assertThat(gate(99, Map.of())).isEqualTo(99);
        assertThat(folder.resolve("log")).content().contains("GitHub refused POST statuses/abc: Remote end closed",
                "GitHub refused GET issues/7/comments: IncompleteRead");

        int before = github.asked().size();
        assertThat(gate(99, Map.of("STATUS", "", "PULL_REQUEST", ""))).isEqualTo(99);
        assertThat(github.asked()).hasSize(before);
    }
}
