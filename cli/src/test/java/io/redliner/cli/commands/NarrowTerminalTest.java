// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Output on a terminal of sixty columns, with names and words that are longer than usual. */
@Execution(ExecutionMode.CONCURRENT)
class NarrowTerminalTest {

    private static final int COLUMNS = 60;

    private static final String ID = "6cfe0e3a-1111-4222-8333-444444444444";

    private static final String RUN = """
            {"id": "%s", "service": "recommendations-backend-europe", "sut": "10.103.117.204:18080",
             "plan": "weekly-capacity-of-the-backend", "profile": "capacity", "phase": "Ramping",
             "submittedAt": "2026-01-01T00:00:00.123456789Z", "askedShare": 0.25, "naturalShare": 0.25, "maxShare": 0.6,
             "harm": {"requests": 12, "allowed": 300, "used": 0.04, "anyway": 7},
             "limit": {"at": "2026-01-01T00:05:00Z", "code": "MaxDuration"},
             "window": {"startedAt": "2026-01-01T00:01:28Z", "requestsPerSecond": 212, "latencyP99Seconds": 0.1,
                        "judgement": "HOLDS", "estimate": {"capacity": 284, "low": 262, "high": 310}, "rules": [
                        {"name": "latency-of-the-whole-checkout", "judgement": "HOLDS", "unit": "seconds", "value": 0.1, "threshold": 0.2}]},
             "validity": [{"name": "load", "verdict": "DOUBTFUL", "unit": "", "words": "noisy neighbours in nine of ten windows, beyond what the search leaves out"}],
             "conditions": [{"type": "TrafficRestored", "status": "Unknown", "reason": "NotYet", "message": "the run goes on, and its share is raised"}]}"""
            .formatted(ID);

    private FakeController controller;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "kind: CapacityTest");
        assertThat(plan).exists();
        controller = new FakeController()
                .on("GET /api/v1/kill-switch", 200, "{\"engaged\": true, \"actor\": \"ops\", \"reason\":"
                        + " \"users of the checkout complain since this morning\", \"at\": \"2026-01-01T07:54:16Z\","
                        + " \"traffic\": {\"state\": \"NATURAL\", \"words\": \"Traffic is natural, measured, since 2026-01-01T07:54:18Z.\"}}")
                .on("GET /api/v1/runs/" + ID, 200, RUN)
                .on("POST /api/v1/runs/" + ID + ":abort", 202, RUN)
                .on("GET /api/v1/runs?phase=Finished&limit=10", 200, "{\"items\": ["
                        + RUN.replace("Ramping", "Finished").replace("\"plan\"",
                                "\"outcome\": \"CAPACITY_FOUND\", \"exitCode\": 0, \"finishedAt\": \"2026-01-01T00:02:00Z\", \"plan\"")
                        + "]}")
                .on("POST /api/v1/plans:validate", 400,
                        "{\"errors\": [{\"field\": \"$.spec\", \"line\": 3, \"column\": 7, \"message\": \"is required, as is everything that has no default\"}]}")
                .on("POST /api/v1/sizing", 200,
                        """
                                {"classes": [{"low": 262, "instances": 6, "perDomain": [2, 2, 2], "hardware": "c7i.large",
                                 "capacity": {"runId": "%s", "recordedAt": "2026-01-01T00:00:00Z", "stale": true,
                                              "certainty": {"level": "DOUBTFUL", "words": "doubtful: host, collector"}},
                                 "normal": {"instances": 6, "limit": 183, "load": 166.7, "utilisation": 0.64}}],
                                 "assumption": "each instance gets traffic in proportion to its capacity"}"""
                                .formatted(ID));
        for (String phase : List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Paused",
                "Restoring")) {
            controller.on("GET /api/v1/runs?limit=200&phase=" + phase, 200,
                    "{\"items\": [" + (phase.equals("Ramping") ? RUN : "") + "]}");
        }
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    /** Runs the lines of a file, in one Java, as its environment says how wide the terminal is. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) throws IOException {
            for (String line : Files.readAllLines(Path.of(arguments[0]))) {
                FakeController.Ran ran = FakeController.execute(line.split(" ", -1));
                System.out.print("$ " + line.split(" ", -1)[0] + "\n" + ran.out() + ran.err());
            }
            System.out.flush();
        }
    }

    private String printed(List<String> lines) throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("lines"), lines);
        ProcessBuilder java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Main.class.getName(),
                file.toString()).redirectError(ProcessBuilder.Redirect.DISCARD);
        java.environment().put("COLUMNS", String.valueOf(COLUMNS));
        Process process = java.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    @Test
    void nothing_is_wider_than_it_and_nothing_is_lost() throws Exception {
        String url = " --url " + controller.url();
        String printed = printed(List.of("status" + url, "status 6cfe" + url, "status " + ID + url,
                "status " + ID + " --explain" + url, "kill-switch" + url, "abort " + ID + url,
                "validate " + folder.resolve("plan.yaml") + url, "size --service x --target 1000" + url,
                "status --output xml", "report r1 --fromat csv", "--help", "help run", "help status", "help abort",
                "help size", "help stop", "help kill-switch", "status r1 --url http://127.0.0.1:1"));

        assertThat(printed.lines().filter(line -> line.length() > COLUMNS && line.strip().contains(" ")))
                .isEmpty();
        assertThat(printed.replaceAll("\\s+", " ")).contains("estimate 284 (262 to 310)", ID, "users of the checkout",
                "10.103.117.204:18080",
                "THE KILL SWITCH IS ENGAGED", "redliner status " + ID, "nothing listens there");
    }
}
