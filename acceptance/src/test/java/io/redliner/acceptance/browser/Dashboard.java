// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.awaitility.Awaitility.await;

import io.redliner.acceptance.ApiClient;
import io.redliner.acceptance.Orders;
import io.redliner.acceptance.OwnService;
import io.redliner.acceptance.RunEnd;
import io.redliner.standalone.stack.StandaloneStack;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import tools.jackson.databind.JsonNode;

/**
 * What the visitors look at: the whole of RedLiner before a live service, started once for all browser tests. Before each test no
 * run is live and the kill switch is released.
 */
final class Dashboard implements BeforeEachCallback {

    /** Until a run is over that was asked to end. */
    private static final Duration ENDING = Duration.ofMinutes(1);

    private static final Duration MAX_RUN = Duration.ofMinutes(4);

    /** What ends a run on a machine that is too busy for it: not what these tests are about. */
    private static final Set<String> OUT_OF_BREATH = Set.of("FAILED", "INCONCLUSIVE");

    private static final int TRIES = 4;

    private @Nullable LiveDashboard running;

    @Override
    public void beforeEach(ExtensionContext test) {
        running = test.getRoot().getStore(Namespace.create(Dashboard.class)).computeIfAbsent(LiveDashboard.class,
                key -> LiveDashboard.start(), LiveDashboard.class);
        settle();
    }

    private LiveDashboard running() {
        return Objects.requireNonNull(running, "no test is running");
    }

    StandaloneStack stack() {
        return running().stack();
    }

    OwnService service() {
        return running().service();
    }

    /** The API as anybody may use it. */
    ApiClient controller() {
        return running().controller();
    }

    /** What the client of the API does not know. */
    Orders orders() {
        return running().orders();
    }

    URI address() {
        return stack().dashboard();
    }

    /** Ends all live runs, releases the kill switch, and waits for a service that can be tested. */
    void settle() {
        if (controller().get("/kill-switch").path("engaged").asBoolean()) {
            orders().send("DELETE", "/kill-switch?reason=the%20next%20test");
        }
        // One that ends by itself in between is refused, and looked at again.
        await("no live run").atMost(ENDING).pollInterval(Duration.ofMillis(500))
                .ignoreException(ApiClient.RejectedException.class).until(() -> {
                    boolean quiet = true;
                    for (JsonNode run : controller().get("/runs").path("items")) {
                        if (!RunEnd.isOver(run)) {
                            quiet = false;
                            controller().abortRun(run.path("id").asString(), "the next test");
                        }
                    }
                    return quiet;
                });
        service().awaitReady(controller());
    }

    /**
     * Shows a test a run that is ramping, under a plan named {@code ramping}. When the machine was too busy for the run to go on,
     * the test gets another: up to {@value #TRIES} in all.
     */
    void duringRun(Consumer<String> test) {
        for (int tries = 1;; tries++) {
            String run = start(Plans.ramping(service()));
            try {
                awaitRamping(run);
                test.accept(run);
                return;
            } catch (RuntimeException | AssertionError failure) {
                JsonNode seen = controller().get("/runs/" + run);
                if (tries == TRIES || !OUT_OF_BREATH.contains(seen.path("outcome").asString())) {
                    failure.addSuppressed(new IllegalStateException("the run was " + seen));
                    throw failure;
                }
                settle();
            }
        }
    }

    /** A run that has ended with a capacity, or with what a plan's bounds let it see of one; up to {@value #TRIES} tries. */
    private String finishedRun() {
        for (int tries = 1;; tries++) {
            String run = start(Plans.quick(service()));
            JsonNode ended = awaitEnd(run);
            if (!OUT_OF_BREATH.contains(ended.path("outcome").asString())) {
                return run;
            }
            if (tries == TRIES) {
                throw new IllegalStateException("No run came to its end: " + ended);
            }
            settle();
        }
    }

    /** The same run for all tests that need any. */
    String finishedOnce() {
        return running().finishedRun(this::finishedRun);
    }

    /** A run that was aborted while it ramped. */
    String abortedRun() {
        List<String> aborted = new ArrayList<>();
        duringRun(aborted::add);
        settle();
        return aborted.getLast();
    }

    /** What a service that is cared for has beside its runs: a schedule, a freeze, a deployment. None of them is due. */
    void furnish() {
        Instant now = Clock.systemUTC().instant();
        controller().putPlan("weekly", Plans.weekly(service(), now.atZone(ZoneOffset.UTC).getDayOfWeek().minus(1)));
        orders().send("POST", "/events/deployments", """
                {"service": "%s", "version": "2.4.1", "id": "release-1", "instances": ["%s"]}"""
                .formatted(service().name(), service().instance(0)));
        if (controller().get("/freezes").path("items").isEmpty()) {
            orders().send("POST", "/freezes", """
                    {"service": "%s", "from": "%s", "to": "%s", "reason": "the long weekend"}""".formatted(
                    service().name(), now.plus(Duration.ofDays(3)), now.plus(Duration.ofDays(5))));
        }
    }

    private String start(String plan) {
        String name = plan.lines().filter(line -> line.startsWith("metadata: {name: ")).findFirst().orElseThrow()
                .replaceAll("metadata: \\{name: ([a-z-]+).*", "$1");
        controller().putPlan(name, plan);
        return controller().startRun(name);
    }

    private void awaitRamping(String run) {
        await("a run that ramps").atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(250)).until(() -> {
            JsonNode seen = controller().get("/runs/" + run);
            if (RunEnd.isOver(seen)) {
                throw new IllegalStateException("ended before it began: " + seen.path("stopReason"));
            }
            return seen.path("phase").asString().equals("Ramping");
        });
    }

    /** Waits until a run is over, and returns it. */
    JsonNode awaitEnd(String run) {
        return RunEnd.awaitOf(controller(), run, MAX_RUN);
    }
}
