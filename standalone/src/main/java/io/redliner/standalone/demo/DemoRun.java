// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import io.redliner.controller.core.run.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The demo's test: over the REST API, with the users already sending. */
public final class DemoRun {

    private static final String PLAN = "demo";

    /** Requests answered before the test: compilers and connection pools are warm then. */
    private static final long WARM_UP_REQUESTS = 5_000;

    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(90);

    private static final int ATTEMPTS = 2;

    private static final Duration POLL = Duration.ofMillis(200);

    private final DemoService service;

    private final DemoTraffic traffic;

    private final ControllerClient controller;

    private final Screen screen;

    private double harm;

    private @Nullable Instant startedAt;

    private Duration elapsed = Duration.ZERO;

    public DemoRun(DemoService service, DemoTraffic traffic, ControllerClient controller, Screen screen) {
        this.service = service;
        this.traffic = traffic;
        this.controller = controller;
        this.screen = screen;
    }

    /** Runs the test to its end, and says how it went; once more when the machine was too busy for it. */
    public DemoResult run() {
        screen.say("Warming up: " + WARM_UP_REQUESTS + " requests at their natural shares");
        CompletableFuture<Double> constructed = CompletableFuture.supplyAsync(service::constructedCapacity);
        warmUp();
        service.describeTo(controller);
        controller.putPlan(PLAN, service.plan());
        Attempt attempt = attempt(constructed);
        for (int spare = ATTEMPTS - 1; spare > 0 && attempt.objection().isPresent(); spare--) {
            screen.say("This machine had no processor time left: " + attempt.objection().get() + ". Trying again.");
            attempt = attempt(constructed);
        }
        attempt.objection().ifPresent(objection -> screen.say("This machine had no processor time left: " + objection
                + ". Do not rely on what was measured; end what else runs here, and try again."));
        return attempt.result();
    }

    /** @param objection why the machine is to be blamed for the result; empty when it is not */
    private record Attempt(DemoResult result, Optional<String> objection) {}

    private Attempt attempt(CompletableFuture<Double> constructed) {
        harm = 0;
        startedAt = null;
        elapsed = Duration.ZERO;
        String id = controller.startRun(PLAN);
        screen.say("Run " + id + ": capacity of " + service.oddInstance() + ", one of four instances of "
                + DemoService.NAME);
        BusyMachine.load();
        controller.follow(id, this::show);
        double load = BusyMachine.load();
        JsonNode run = controller.get("/runs/" + id);
        DemoResult result = DemoResult.of(run, constructed.join(), elapsed.toMillis() / 1e3);
        screen.say("");
        result.lines().forEach(screen::say);
        return new Attempt(result, result.exitCode() == ExitCode.ABORTED.code()
                ? Optional.empty()
                : BusyMachine.objection(run, load));
    }

    private void warmUp() {
        for (long polls = LONGEST_WARM_UP.dividedBy(POLL); traffic.succeeded() < WARM_UP_REQUESTS
                || !isReady(); polls--) {
            if (polls == 0) {
                throw new IllegalStateException("The demo's service does not get going: after "
                        + LONGEST_WARM_UP.toSeconds()
                        + " s, " + traffic.succeeded() + " requests succeeded and " + traffic.failed() + " failed");
            }
            pause();
        }
    }

    private boolean isReady() {
        for (JsonNode item : controller.get("/services").path("items")) {
            if (item.path("name").asString().equals(DemoService.NAME)) {
                return item.path("fresh").asBoolean() && !item.path("proxies").isEmpty();
            }
        }
        return false;
    }

    private void show(JsonNode decision) {
        Instant at = Instant.parse(decision.path("at").asString());
        if (startedAt == null) {
            startedAt = at;
        }
        elapsed = Duration.between(startedAt, at);
        JsonNode window = decision.path("window");
        if (window.isObject()) {
            harm += window.path("harmRequests").asDouble();
            screen.show(new Progress(elapsed, decision.path("phase").asString(),
                    window.path("measuredShare").asDouble(), window.path("requestsPerSecond").asDouble(),
                    number(window.path("latencyP99Seconds")), latencyLimit(window), Math.max(0, harm),
                    decision.path("reason").asString()));
        }
    }

    private static @Nullable Double latencyLimit(JsonNode window) {
        for (JsonNode rule : window.path("rules")) {
            if (rule.path("name").asString().equals("latency")) {
                return number(rule.path("threshold"));
            }
        }
        return null;
    }

    private static @Nullable Double number(JsonNode node) {
        return node.isNumber() ? node.asDouble() : null;
    }

    private static void pause() {
        new CompletableFuture<Void>().completeOnTimeout(null, POLL.toMillis(), TimeUnit.MILLISECONDS).join();
    }
}
