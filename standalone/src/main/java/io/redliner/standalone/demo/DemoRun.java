// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import com.sun.management.OperatingSystemMXBean;
import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.InterruptPrompt;
import io.redliner.cli.watch.RunFollower;
import io.redliner.cli.watch.RunOutput;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** The demo's test: over the REST API, with the users already sending. */
public final class DemoRun {

    private static final String PLAN = "demo";

    /** Requests answered before the test: compilers and connection pools are warm then. */
    private static final long WARM_UP_REQUESTS = 5_000;

    private static final Duration MAX_WARM_UP = Duration.ofSeconds(90);

    private static final Duration POLL = Duration.ofMillis(200);

    private final DemoService service;

    private final DemoTraffic traffic;

    private final ControllerClient controller;

    private final RunOutput output;

    private final InstantSource clock = InstantSource.system();

    public DemoRun(DemoService service, DemoTraffic traffic, ControllerClient controller, RunOutput output) {
        this.service = service;
        this.traffic = traffic;
        this.controller = controller;
        this.output = output;
    }

    /**
     * Runs the test to its end, and returns its result. A test that found nothing, perhaps because of the machine, is made once
     * more. A result stands, and the machine's possible influence is printed beside it.
     */
    public DemoResult run() throws IOException, InterruptedException {
        output.print("Warming up: " + WARM_UP_REQUESTS + " requests at their natural shares");
        CompletableFuture<Double> constructed = CompletableFuture.supplyAsync(service::constructedCapacity);
        warmUp();
        service.describeTo(controller);
        controller.put("/api/v1/plans/" + PLAN, "application/yaml", service.plan());
        Attempt attempt = attempt(constructed);
        if (!attempt.result().answered() && attempt.objection().isPresent()) {
            output.print(
                    "The machine may be the reason: " + attempt.objection().get() + ". Trying once more, for about "
                            + Math.round(attempt.result().durationSeconds()) + " s.");
            attempt = attempt(constructed);
        }
        attempt.warning().ifPresent(output::print);
        attempt.result().lines().forEach(output::print);
        return attempt.result();
    }

    /** @param objection why the machine may be to blame for the result; empty when it is not */
    private record Attempt(DemoResult result, Optional<String> objection) {

        Optional<String> warning() {
            return objection.map(reason -> result.answered()
                    ? "The machine may have been a limit, too: " + reason
                            + ". For a better figure, end what else runs here, and try again."
                    : "Nothing was found, and the machine may be the reason: " + reason
                            + ". End what else runs here, and try again.");
        }
    }

    private Attempt attempt(CompletableFuture<Double> constructed) throws IOException, InterruptedException {
        JsonNode started = controller.post("/api/v1/runs", controller.object().put("plan", PLAN));
        String path = "/api/v1/runs/" + started.path("id").asString();
        output.print("Run " + started.path("id").asString() + ": capacity of " + service.oddInstance()
                + ", one of four instances of " + DemoService.NAME);
        BusyMachine.load();
        // Nobody is asked: Ctrl-C ends everything.
        int exitCode = new RunFollower(controller, output, new InterruptPrompt(null), clock)
                .follow(path, started, true);
        double load = BusyMachine.load();
        JsonNode run = controller.get(path);
        DemoResult result = DemoResult.of(run, constructed.join());
        return new Attempt(result, exitCode == ExitCode.ABORTED.code()
                ? Optional.empty()
                : BusyMachine.objection(run, load));
    }

    private void warmUp() throws IOException, InterruptedException {
        Instant deadline = clock.instant().plus(MAX_WARM_UP);
        while (traffic.succeeded() < WARM_UP_REQUESTS || !DemoService.isReady(controller)) {
            if (clock.instant().isAfter(deadline)) {
                throw new IllegalStateException("The demo's service does not get going: after "
                        + MAX_WARM_UP.toSeconds()
                        + " s, " + traffic.succeeded() + " requests succeeded and " + traffic.failed() + " failed");
            }
            pause();
        }
    }

    private static void pause() {
        new CompletableFuture<Void>().completeOnTimeout(null, POLL.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** Finds out whether the demo's own machine, and not its instance, was the limit of a run. */
    static final class BusyMachine {

        /**
         * The load of all processors from which on the machine is busy. Below it a thread that is ready soon finds a free processor.
         */
        private static final double BUSY = 0.97;

        private static final Set<String> OF_AN_ANSWER = Set.of("host");

        /** The demo's peers and its SUT share the machine, and have no other reason to become slow together. */
        private static final Set<String> OF_NO_ANSWER = Set.of("host", "noise", "neighbours", "wander");

        private BusyMachine() {}

        /** Returns how busy all processors were since the last call: 0 to 1, negative when that is not known. */
        static double load() {
            return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
        }

        /**
         * Returns a sign that the machine was the limit; empty when there is none.
         *
         * @param run that is over
         * @param load how busy all processors were in it, see {@link #load}
         */
        static Optional<String> objection(JsonNode run, double load) {
            boolean answered = run.path("result").isObject();
            Optional<String> check = run.path("validity").valueStream()
                    .filter(one -> (answered ? OF_AN_ANSWER : OF_NO_ANSWER).contains(one.path("name").asString()))
                    .filter(one -> one.path("verdict").asString().matches("DOUBTFUL|INVALID"))
                    .map(one -> one.path("words").asString()).findFirst();
            return check.isPresent() || answered || load < BUSY
                    ? check
                    : Optional
                            .of(String.format(Locale.ROOT, "its processors were busy for %.0f %% of the time",
                                    load * 100));
        }
    }
}
