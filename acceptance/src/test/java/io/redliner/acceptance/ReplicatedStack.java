// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import io.redliner.cli.client.ControllerClient;
import io.redliner.standalone.demo.DemoService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two of each component, three brokers and a replicated PostgreSQL in containers, which {@code .ci/containers} starts: the file
 * {@code .ci/replicated.yaml} on top of {@code docker-compose.yml}.
 */
final class ReplicatedStack implements AutoCloseable {

    /** By address and port, of {@code .ci/replicated.yaml}; has the full number of workers. */
    private static final String SUT = "172.29.83.10:9001";

    /** Of the fleet. */
    private static final String DEMO_PLAN = "demo";

    private static final double SHARE = 0.40;

    private static final double CLEARLY_RAISED = 0.35;

    private static final int ATTEMPTS = 3;

    private static final int ADMIN_PORT = 9901;

    private static final int REST_PORT = 8080;

    private static final String PLAN = """
            apiVersion: redliner.io/v1
            kind: CapacityTest
            metadata: {name: steady}
            spec:
              service: %s
              sut: {instance: "%s"}
              profile: load
              load: {share: %d%%, ramp: 2s, hold: 280s}
              sla:
                - {name: latency, expr: "latency.p99 <= duration('5s')"}
              limits: {maxShare: 60%%, maxRaise: 2x, maxDuration: 6m, harmBudget: 20%%, window: 1500ms}
            """.formatted(DemoService.NAME, SUT, Math.round(SHARE * 100));

    private final JsonMapper json = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();

    /** The machine's, and so the containers'. */
    private final InstantSource clock = InstantSource.system();

    private final String project;

    private final String token;

    private final URI admin;

    private final ProxyWatch watch;

    /** @param project the name of the compose project */
    ReplicatedStack(String project, Path tokenFile) throws IOException {
        this.project = project;
        this.token = Files.readString(tokenFile).strip();
        this.admin = URI.create("http://" + the("envoy").address() + ":" + ADMIN_PORT);
        this.watch = new ProxyWatch(admin, DemoService.NAME, SUT);
    }

    /** Waits for the run that the fleet's plan begins with, and ends it. There is none after it. */
    void quiet() {
        await("the run of the fleet's own plan").atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofSeconds(1))
                .until(() -> !get("/runs?limit=1").path("items").isEmpty());
        String run = get("/runs?limit=1").path("items").get(0).path("id").asString();
        abort(run);
        ask(controller -> controller.post("/api/v1/schedules/" + DEMO_PLAN + ":pause",
                controller.object().put("reason", "a test needs the service")));
    }

    List<Container> all(String service) {
        return Container.of(project, service);
    }

    Container the(String service) {
        return all(service).getFirst();
    }

    /** What the proxy is seen to do, all the while. */
    ProxyWatch watch() {
        return watch;
    }

    private ControllerClient client(Container controller) {
        return new ControllerClient(URI.create("http://" + controller.address() + ":" + REST_PORT), token);
    }

    /** Something that is asked of a controller. */
    @FunctionalInterface
    private interface Question<T> {

        T ask(ControllerClient controller) throws IOException, InterruptedException;
    }

    /** Asks each of the controllers that are up until one answers. */
    private <T> T ask(Question<T> question) {
        return await("an answer of a controller").ignoreExceptions()
                .pollInterval(Duration.ofMillis(250)).until(() -> {
                    IOException last = new IOException("no controller is up");
                    for (Container container : all("controller")) {
                        if (container.isUp()) {
                            try (ControllerClient controller = client(container)) {
                                return question.ask(controller);
                            } catch (IOException e) {
                                last = e;
                            }
                        }
                    }
                    throw last;
                }, answer -> true);
    }

    JsonNode get(String path) {
        return ask(controller -> controller.get("/api/v1" + path));
    }

    /**
     * Starts a run at the first controller, which drives it, and waits until the proxy gives the SUT its raised share, and it is
     * judged. One that ends before is started again.
     */
    String raise() throws IOException, InterruptedException {
        String run = null;
        for (int attempt = 0; attempt < ATTEMPTS && (run == null || isOver(run)); attempt++) {
            run = raiseOnce();
        }
        if (isOver(run)) {
            throw new IllegalStateException("No run gets as far as a raised share: " + get("/runs/" + run));
        }
        return run;
    }

    /** When the SUT was first seen to have no raised share, after a moment by {@link System#nanoTime()}. */
    OptionalLong lowered(long nanoTime) {
        return watch.belowSince(CLEARLY_RAISED, nanoTime);
    }

    /** Waits until the proxy gives the SUT its raised share, or the run is over. */
    boolean isRaised(String run) {
        await("a raised share of run " + run).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(500))
                .until(() -> watch.now() >= CLEARLY_RAISED || isOver(run));
        return !isOver(run);
    }

    private String raiseOnce() throws IOException, InterruptedException {
        awaitReady();
        try (ControllerClient controller = client(the("controller"))) {
            controller.put("/api/v1/plans/steady", "application/yaml", PLAN);
            String run = controller.post("/api/v1/runs", controller.object().put("plan", "steady")).path("id")
                    .asString();
            isRaised(run);
            awaitJudged(run);
            return run;
        }
    }

    /** Waits until no run is live, the proxy is connected, and everything that can be healthy is. */
    private void awaitReady() {
        for (String service : List.of("controller", "redirector", "collector", "analyzer", "kafka", "kafka-2",
                "kafka-3", "quorum-1", "quorum-2", "quorum-3")) {
            for (Container container : all(service)) {
                container.awaitHealthy();
            }
        }
        await("a free service").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(500))
                .until(() -> OwnService.isFree(DemoService.NAME, get("/services")));
    }

    boolean isOver(String run) {
        return RunEnd.isOver(get("/runs/" + run));
    }

    /** Ends a run, unless it ends by itself meanwhile. */
    void abort(String run) {
        ask(controller -> {
            if (!isOver(run)) {
                controller.post("/api/v1/runs/" + run + ":abort",
                        controller.object().put("reason", "the test is over"));
            }
            return run;
        });
    }

    /** Waits until a window of a run that begins from now on has an answer, or the run is over. */
    void awaitJudged(String run) {
        Instant now = clock.instant();
        await("a verdict on run " + run).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofSeconds(1))
                .until(() -> isOver(run) || get("/runs/" + run + "/windows?limit=500").path("items").valueStream()
                        .anyMatch(window -> isConclusive(window)
                                && Instant.parse(window.path("startedAt").asString()).isAfter(now)));
    }

    private static boolean isConclusive(JsonNode judged) {
        return judged.has("judgement") && !judged.path("judgement").asString().equals("INCONCLUSIVE");
    }

    /** The records of a run that is over, without what the export begins with. */
    List<JsonNode> journal(String run) {
        String text = ask(controller -> new String(controller.download("/api/v1/runs/" + run + "/journal"),
                StandardCharsets.UTF_8));
        return text.lines().map(json::readTree).filter(record -> record.has("sequence")).toList();
    }

    /** The longest time between two verdicts with an answer. */
    static Duration longestStall(List<JsonNode> journal) {
        List<Instant> conclusive = conclusive(journal);
        Duration longest = Duration.ZERO;
        for (int i = 1; i < conclusive.size(); i++) {
            Duration gap = Duration.between(conclusive.get(i - 1), conclusive.get(i));
            longest = gap.compareTo(longest) > 0 ? gap : longest;
        }
        return longest;
    }

    /** The time from the last verdict with an answer before a moment to that moment, by {@link System#nanoTime()}. */
    Duration withoutAnswer(List<JsonNode> journal, long nanoTime) {
        return sinceLast(conclusive(journal), nanoTime);
    }

    /** The time from the last decision on a lease with a raised share before a moment to that moment, likewise. */
    Duration withoutLease(List<JsonNode> journal, long nanoTime) {
        return sinceLast(decided(journal, ReplicatedStack::isRaising), nanoTime);
    }

    private Duration sinceLast(List<Instant> instants, long nanoTime) {
        Instant moment = clock.instant().minusNanos(System.nanoTime() - nanoTime);
        return instants.stream().filter(instant -> !instant.isAfter(moment)).max(Instant::compareTo)
                .map(instant -> Duration.between(instant, moment)).orElseThrow();
    }

    private static boolean isRaising(JsonNode entry) {
        return entry.path("decision").path("commands").valueStream()
                .anyMatch(command -> command.path("lease").path("share").asInt(0) >= CLEARLY_RAISED * 1e6);
    }

    private static List<Instant> conclusive(List<JsonNode> journal) {
        return decided(journal, entry -> isConclusive(entry.path("event").path("verdict")));
    }

    private static List<Instant> decided(List<JsonNode> journal, Predicate<JsonNode> which) {
        return journal.stream().filter(which).map(entry -> Instant.parse(entry.path("decidedAt").asString())).toList();
    }

    /** What the proxy has answered to users, and how much of it was an error of the server's side. */
    record Served(long requests, long failed) {

        Served since(Served before) {
            return new Served(requests - before.requests, failed - before.failed);
        }
    }

    Served served() throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(HttpRequest
                .newBuilder(admin.resolve("/stats?format=json&filter=downstream_rq_"))
                .build(), HttpResponse.BodyHandlers.ofString());
        JsonNode stats = json.readTree(answer.body()).path("stats");
        return new Served(total(stats, "downstream_rq_completed"), total(stats, "downstream_rq_5xx"));
    }

    private static long total(JsonNode stats, String name) {
        return StreamSupport.stream(stats.spliterator(), false)
                .filter(stat -> stat.path("name").asString().matches("http\\.(?!admin).*\\." + name))
                .mapToLong(stat -> stat.path("value").asLong()).sum();
    }

    @Override
    public void close() {
        watch.close();
        client.shutdownNow();
    }
}
