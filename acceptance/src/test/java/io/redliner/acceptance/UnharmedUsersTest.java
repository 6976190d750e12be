// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.testkit.PlanText;
import io.redliner.testkit.TomcatFleet;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Promises 1 and 2 over and over: runs that begin, are paused and resumed, are aborted, and whose whole RedLiner is killed, with the
 * health checks of strict servers. One Envoy outlives all of it, and no request of a user fails.
 */
@Tag("soak")
class UnharmedUsersTest {

    private static final int RUNS = Integer.getInteger("redliner.unharmed.runs", 50);

    private static final long SEED = Long.getLong("redliner.unharmed.seed", 58);

    /** One in so many runs ends with the death of Envoy's parent. */
    private static final int KILLED = 5;

    private static final int REQUESTS_PER_SECOND = 60;

    private static final Duration START = Duration.ofMinutes(10);

    /** Runs that are over before traffic has moved may be so many: the machine is too busy for their telemetry. */
    private static final int MAX_UNMOVED = RUNS / 2;

    private static final double CLEARLY_MOVED = 0.40;

    private static final Duration POLL = Duration.ofMillis(200);

    private final SplittableRandom random = new SplittableRandom(SEED);

    private final int port = FreePort.next();

    private final List<String> log = new ArrayList<>();

    private TomcatFleet fleet;

    private SteadyUsers users;

    private RedlinerProcess redliner;

    private ApiClient controller;

    private Orders orders;

    private int unmoved;

    private int killed;

    private long slowestMillis;

    @Test
    void no_request_fails_in_any_run() throws Exception {
        try (StackFolder folder = new StackFolder();
                TomcatFleet servers = new TomcatFleet(4);
                SteadyUsers steady = new SteadyUsers(URI.create("http://127.0.0.1:" + port + "/"),
                        REQUESTS_PER_SECOND)) {
            fleet = servers;
            users = steady;
            folder.services().put("strict", entry());
            start(folder);
            try {
                await("a service that is served").atMost(START)
                        .until(() -> OwnService.isFree("strict", controller.get("/services")));
                users.start();
                ProcessHandle envoy = folder.envoy();
                for (int run = 1; run <= RUNS; run++) {
                    run(run, folder);
                    assertThat(users.failures()).as("run %s of seed %s, after %s requests: %s", run, SEED,
                            users.succeeded(), log).isEmpty();
                    assertThat(folder.envoy()).isEqualTo(envoy);
                }
            } finally {
                System.out.println(users.succeeded() + " requests answered, " + users.failures().size() + " failed in "
                        + RUNS + " runs, " + killed + " of them killed, " + unmoved
                        + " before traffic moved; natural within " + slowestMillis + " ms");
                stop();
            }
        }
        assertThat(unmoved).as("runs that moved nothing: %s", log).isLessThanOrEqualTo(MAX_UNMOVED);
    }

    private String entry() {
        StringBuilder entry = new StringBuilder("  - name: strict\n    listen: \"127.0.0.1:" + port + "\"\n"
                + "    timeout: 60s\n    healthCheck: {path: /health, interval: 1s, timeout: 10s}\n    instances:\n");
        fleet.addresses().forEach(address -> entry.append("      - \"").append(address).append("\"\n"));
        return entry.toString();
    }

    private void start(StackFolder folder) throws Exception {
        redliner = RedlinerProcess.start(folder.data(), List.of("up", "--port", "0", "--services",
                folder.services().path().toString(), "--data", folder.data().toString()),
                KilledStandaloneTest.settings());
        URI address = URI.create(redliner.awaitOutput("is up: (http://\\S+)/", START));
        controller = new ApiClient(address);
        orders = new Orders(address, null);
        controller.putPlan("strict", plan());
    }

    private void stop() throws Exception {
        controller.close();
        orders.close();
        redliner.close();
    }

    private String plan() {
        return PlanText.of("strict", sut(), "sla: [{name: latency, expr: \"latency.p90 <= duration('10s')\"}]",
                "limits: {maxShare: 60%, maxRaise: 2x, maxDuration: 2m, harmBudget: 5%, window: 500ms}");
    }

    private String sut() {
        return fleet.addresses().getFirst();
    }

    private void run(int number, StackFolder folder) throws Exception {
        await("a free service").atMost(START).until(() -> OwnService.isFree("strict", controller.get("/services")));
        String run = controller.startRun("strict");
        boolean moved = awaitMoved(run);
        for (int pauses = random.nextInt(3); pauses > 0 && !isOver(run); pauses--) {
            order(run, "pause");
            awaitRequests(REQUESTS_PER_SECOND / 2 + random.nextInt(2 * REQUESTS_PER_SECOND));
            order(run, "resume");
            awaitRequests(random.nextInt(2 * REQUESTS_PER_SECOND));
        }
        unmoved += moved ? 0 : 1;
        if (number % KILLED == 0) {
            killed++;
            redliner.kill();
            awaitNatural();
            controller.close();
            orders.close();
            start(folder);
        } else if (!isOver(run)) {
            order(run, "abort");
            awaitNatural();
        }
        JsonNode ended = RunEnd.awaitOf(controller, run, START);
        System.out.println(number + " " + ended.at("/stopReason") + ", failed: " + users.failures().size() + ", "
                + slowestMillis + " ms");
        log.add(number + ": " + ended.at("/stopReason/code").asString() + (moved ? "" : ", not moved"));
    }

    private boolean awaitMoved(String run) {
        return await("moved traffic, or an end").atMost(START).pollInterval(POLL)
                .until(() -> shareOfNext(60) > CLEARLY_MOVED ? "moved" : isOver(run) ? "over" : "",
                        state -> !state.isEmpty())
                .equals("moved");
    }

    private boolean isOver(String run) {
        return RunEnd.isOver(controller.get("/runs/" + run));
    }

    /** One that ends by itself meanwhile refuses. */
    private void order(String run, String verb) {
        try {
            orders.send("POST", "/runs/" + run + ":" + verb, "{\"reason\": \"drill\"}");
        } catch (AssertionError refused) {
            assertThat(refused).hasMessageContaining("409");
            RunEnd.awaitOf(controller, run, START);
        }
    }

    private void awaitRequests(long more) {
        long from = users.succeeded();
        await("requests").atMost(START).pollInterval(POLL).until(() -> users.succeeded() - from >= more);
    }

    /** The look takes its time, too. */
    private void awaitNatural() {
        long began = System.nanoTime();
        await("the natural share").atMost(LEASE.plus(LEASE)).pollDelay(Duration.ZERO).pollInterval(POLL)
                .until(() -> shareOfNext(REQUESTS_PER_SECOND / 2) < CLEARLY_MOVED);
        slowestMillis = Math.max(slowestMillis, Duration.ofNanos(System.nanoTime() - began).toMillis());
        assertThat(shareOfNext(400)).as("share of the 400 requests that followed").isBetween(0.15, 0.35);
    }

    private double shareOfNext(int requests) {
        Map<String, Integer> before = fleet.requests();
        await("requests at the servers").atMost(START).pollInterval(Duration.ofMillis(20))
                .until(() -> total(fleet.requests()) - total(before) >= requests);
        Map<String, Integer> after = fleet.requests();
        return (double) (after.getOrDefault(sut(), 0) - before.getOrDefault(sut(), 0))
                / (total(after) - total(before));
    }

    private static long total(Map<String, Integer> requests) {
        return requests.values().stream().mapToLong(Integer::longValue).sum();
    }
}
