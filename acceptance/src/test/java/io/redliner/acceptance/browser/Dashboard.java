// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.awaitility.Awaitility.await;

import io.redliner.acceptance.LiveService;
import io.redliner.acceptance.LiveStack;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.ControllerClient;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
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
    private static final Duration ENDING = Duration.ofSeconds(40);

    private @Nullable Running running;

    /** The stack of this process, and a client of its API. */
    private record Running(LiveStack whole, ControllerClient controller, Orders orders) implements AutoCloseable {

        static Running start() {
            try {
                LiveStack whole = new LiveStack(FreePort.next());
                URI address = whole.stack().dashboard();
                return new Running(whole, new ControllerClient(address), new Orders(address, null));
            } catch (Exception e) {
                throw new IllegalStateException("Cannot start RedLiner for the browser tests", e);
            }
        }

        @Override
        public void close() throws Exception {
            orders.close();
            controller.close();
            whole.close();
        }
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        running = test.getRoot().getStore(Namespace.create(Dashboard.class)).computeIfAbsent(Running.class,
                key -> Running.start(), Running.class);
        settle();
    }

    private Running running() {
        return Objects.requireNonNull(running, "no test is running");
    }

    LiveStack whole() {
        return running().whole();
    }

    LiveService live() {
        return whole().live();
    }

    /** The API as anybody may use it. */
    ControllerClient controller() {
        return running().controller();
    }

    /** What the client of the API does not know. */
    Orders orders() {
        return running().orders();
    }

    URI address() {
        return whole().stack().dashboard();
    }

    /** Ends all live runs, releases the kill switch, and waits for a service that can be tested. */
    void settle() {
        if (controller().get("/kill-switch").path("engaged").asBoolean()) {
            orders().send("DELETE", "/kill-switch?reason=next%20test");
        }
        for (JsonNode run : controller().get("/runs").path("items")) {
            if (!isFinished(run)) {
                controller().abortRun(run.path("id").asString(), "the next test");
            }
        }
        await("no live run").atMost(ENDING).until(() -> controller().get("/runs").path("items").valueStream()
                .allMatch(Dashboard::isFinished));
        live().awaitReady(controller());
    }

    /** Starts a run that ramps the roomy instance to its share cap, and goes on for up to two minutes. Returns its id. */
    String startRampingRun() {
        controller().putPlan("ramping", live().rampingPlan());
        return controller().startRun("ramping");
    }

    /** A run that has ended, whatever came out of it. */
    void awaitEnd(String run) {
        await("the end of run " + run).atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(500))
                .until(() -> isFinished(controller().get("/runs/" + run)));
    }

    private static boolean isFinished(JsonNode run) {
        return run.path("phase").asString().equals("Finished");
    }
}
