// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoFleet;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.testkit.OwnersRoute;
import io.redliner.testkit.PlanText;
import io.redliner.testkit.TestKit;
import io.redliner.testkit.TestProxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Runs through a route that its owner wrote: nothing moves before what is natural there was measured and is what was declared. */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class OwnersRouteTest {

    private static final Duration RUN_END = Duration.ofMinutes(2);

    private static final double REQUESTS_PER_SECOND = 400;

    private static final InstanceModel ROOMY = new InstanceModel(12, Duration.ofMillis(20), 0.4, 200);

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    @TempDir
    Path folder;

    /** A service of four instances behind a proxy of its owner's, whose route sends a fifth to a fifth instance. */
    private final class Owned implements AutoCloseable {

        private final String name;

        private final int port = FreePort.next();

        private final DemoFleet fleet = DemoFleet.start(Collections.nCopies(5, ROOMY), 17);

        private final TestProxy proxy;

        private final DemoTraffic traffic;

        /**
         * Starts everything.
         *
         * @param route the weights of the canary, of the rest and of the variant
         * @param declared the line with the weights in the services file, or nothing
         */
        Owned(String name, List<Integer> route, String declared) {
            this.name = name;
            List<String> addresses = fleet.addresses();
            shared.folder().services().put(name, """
                      - name: %s
                        proxies: %s
                        runtime:
                          keyPrefix: routing.profile-be
                          sut: "%s"
                          sutCluster: profile-be-canary
                          peersCluster: profile-be-rest
                          %s
                        instances: ["%s"]
                    """.formatted(name, name, addresses.get(3), declared,
                    String.join("\", \"", addresses.subList(0, 4))));
            EnvoyBootstrap made = EnvoyBootstrap.of(Level.RUNTIME_ONLY, name, shared.stack().xdsPort(),
                    shared.stack().accessLogPort(), FreePort.next());
            proxy = TestKit.proxy(routed(made.withYaml(yaml(made.yaml(), addresses)), route, addresses.get(4)),
                    folder.resolve(name));
            proxy.awaitLive(Duration.ofMinutes(1));
            traffic = new DemoTraffic(URI.create("http://127.0.0.1:" + port + "/"), REQUESTS_PER_SECOND, 17, 1_000);
            traffic.start();
        }

        private static EnvoyBootstrap routed(EnvoyBootstrap made, List<Integer> route, String variant) {
            EnvoyBootstrap weighted = OwnersRoute.weight(
                    OwnersRoute.weight(made, "profile-be-canary", route.getFirst()), "profile-be-rest", route.get(1));
            return OwnersRoute.variant(weighted, "variant", route.getLast(), variant);
        }

        private String yaml(String given, List<String> addresses) {
            String yaml = given.replace("\n  cluster: redliner\n", "\n  cluster: " + name + "\n")
                    .replace("address: 0.0.0.0, port_value: 10000", "address: 127.0.0.1, port_value: " + port)
                    .replace("log_name: profile-be", "log_name: " + name)
                    .replace("access_log.profile-be", "access_log." + name);
            for (int i = 0; i < 4; i++) {
                yaml = yaml.replace("address: 10.0.0." + (i + 1) + ", port_value: 8080",
                        "address: 127.0.0.1, port_value: " + port(addresses.get(i)));
            }
            return yaml;
        }

        private static String port(String address) {
            return address.substring(address.indexOf(':') + 1);
        }

        String sut() {
            return fleet.addresses().get(3);
        }

        String variant() {
            return fleet.addresses().get(4);
        }

        /** As soon as the controller knows the proxy. */
        String start(ApiClient controller, String profile) {
            controller.putPlan(name, PlanText.of(name, sut(), profile, PlanText.sla("2s"),
                    "limits: {maxShare: 70%, maxRaise: 2x, maxDuration: 3m, harmBudget: 5%, window: 500ms}"));
            await("a free service with a connected proxy").atMost(Duration.ofMinutes(1))
                    .until(() -> OwnService.isFree(name, controller.get("/services")));
            return controller.startRun(name);
        }

        /** The parts of all requests since then that the SUT and the variant got. */
        List<Double> partsSince(Map<String, Long> before) {
            Map<String, Long> now = fleet.arrivals();
            double all = now.values().stream().mapToLong(Long::longValue).sum()
                    - before.values().stream().mapToLong(Long::longValue).sum();
            return List.of(sut(), variant()).stream()
                    .map(address -> (now.getOrDefault(address, 0L) - before.getOrDefault(address, 0L)) / all).toList();
        }

        @Override
        public void close() {
            traffic.close();
            proxy.close();
            fleet.close();
            shared.folder().services().remove(name);
        }
    }

    private static String detail(JsonNode run) {
        assertThat(run.path("outcome").asString()).as("%s", run).isEqualTo("INCONCLUSIVE");
        assertThat(run.path("stopReason").path("code").asString()).isEqualTo("Preflight");
        return run.path("stopReason").path("detail").asString();
    }

    @Test
    void a_run_is_refused_that_would_take_the_traffic_of_a_variant_nobody_declared() {
        try (Owned owned = new Owned("undeclared", List.of(20, 60, 20), "")) {
            String run = owned.start(shared.controller(), "profile: smoke\n  smoke: {hold: 5s}");
            Map<String, Long> before = owned.fleet.arrivals();
            JsonNode ended = RunEnd.awaitOf(shared.controller(), run, RUN_END);
            assertThat(detail(ended)).contains("go to " + owned.variant(), "runtime.weights");
            assertThat(owned.partsSince(before).getLast()).as("what the variant got meanwhile").isBetween(0.18, 0.22);
        }
    }

    @Test
    void a_run_is_refused_whose_natural_share_is_not_what_the_services_file_says() {
        try (Owned owned = new Owned("other-weights", List.of(5, 95, 0), "")) {
            String run = owned.start(shared.controller(), "profile: smoke\n  smoke: {hold: 5s}");
            Map<String, Long> before = owned.fleet.arrivals();
            JsonNode ended = RunEnd.awaitOf(shared.controller(), run, RUN_END);
            assertThat(detail(ended)).contains(owned.sut() + " gets ", "by the services file it is 25%");
            assertThat(owned.partsSince(before).getFirst()).as("what the SUT got meanwhile").isBetween(0.03, 0.07);
        }
    }

    @Test
    void a_variant_that_is_declared_keeps_its_fifth_while_the_share_is_raised() {
        try (Owned owned = new Owned("declared", List.of(20, 60, 20),
                "weights: {profile-be-canary: 20, profile-be-rest: 60, variant: 20}")) {
            Map<String, Long> before = owned.fleet.arrivals();
            String run = owned.start(shared.controller(), "profile: load\n  load: {share: 60%, ramp: 3s, hold: 8s}");
            JsonNode ended = RunEnd.awaitOf(shared.controller(), run, RUN_END);
            assertThat(ended.path("outcome").asString()).as("%s", ended).isEqualTo("PASSED");
            assertThat(ended.path("restore").path("proof").asString()).as("%s", ended).isEqualTo("MEASURED");
            double largest = shared.controller().get("/runs/" + run + "/windows?limit=500").path("items").valueStream()
                    .mapToDouble(window -> window.path("shareMeasured").asDouble(0)).max().orElse(0);
            assertThat(largest).as("the largest share of the service's requests").isGreaterThan(0.5);
            assertThat(owned.partsSince(before).getLast()).as("what the variant got all the while").isBetween(0.18,
                    0.22);
        }
    }
}
