// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.testkit.PlanText;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the proxies or RedLiner's own settings do to users is said on the terminal of {@code up}, and is the reason of a run. */
@Tag("fault")
class UnblamedServiceTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static RedlinerProcess up(StackFolder folder) throws Exception {
        return RedlinerProcess.start(folder.data(), List.of("up", "--port", "0", "--services",
                folder.services().path().toString(), "--data", folder.data().toString()), Map.of());
    }

    private static void serve(StackFolder folder, String service, String more, int port, SlowAnswers answers) {
        folder.services().put(service, """
                  - name: %s
                    %s
                    listen: "127.0.0.1:%d"
                    instances: ["%s"]
                """.formatted(service, more, port, String.join("\", \"", answers.addresses())));
    }

    private static String start(ApiClient controller, String service, SlowAnswers answers) {
        controller.putPlan(service, PlanText.of(service, answers.addresses().getFirst(), "profile: load",
                "load: {share: 65%, ramp: 3s, hold: 15s}", "sla: [{name: errors, expr: \"error_rate <= 0.05\"}]",
                "limits: {maxShare: 90%, maxRaise: 1.5x, maxDuration: 3m, harmBudget: 20%, window: 1s}"));
        return await("a run of " + service).atMost(LIMIT).pollInterval(Duration.ofSeconds(1)).ignoreExceptions()
                .until(() -> controller.startRun(service), run -> !run.isEmpty());
    }

    @Test
    void answers_that_take_longer_than_redliners_own_timeout_are_not_the_services_errors() throws Exception {
        int port = FreePort.next();
        try (StackFolder folder = new StackFolder(); SlowAnswers answers = new SlowAnswers(3, Duration.ofSeconds(20))) {
            serve(folder, "slow", "", port, answers);
            try (RedlinerProcess up = up(folder); ApiClient controller = KilledStandaloneTest.controller(up)) {
                answers.use(port);

                up.awaitOutput("(RedLiner's own route timeout of 15s) ended", LIMIT);
                JsonNode ended = RunEnd.awaitOf(controller, start(controller, "slow", answers), LIMIT);

                assertThat(ended.path("outcome").asString()).isEqualTo("INCONCLUSIVE");
                assertThat(ended.path("stopReason").path("code").asString()).isEqualTo("OwnLimit");
                assertThat(ended.path("stopReason").path("detail").asString())
                        .contains("RedLiner's own route timeout of 15s ended", "requests of slow", "set 'timeout'");
                up.interrupt();
                up.awaitExit(LIMIT);
            }
        }
    }

    @Test
    void a_listener_whose_port_is_taken_is_named_until_the_proxy_has_it_and_keeps_no_other_one_from_serving()
            throws Exception {
        int served = FreePort.next();
        try (StackFolder folder = new StackFolder();
                SlowAnswers answers = new SlowAnswers(3, Duration.ZERO);
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RedlinerProcess up = up(folder);
                ApiClient controller = KilledStandaloneTest.controller(up)) {
            String listener = "listener second on 127.0.0.1:" + taken.getLocalPort() + ": ";
            serve(folder, "first", "", served, answers);
            serve(folder, "second", "", taken.getLocalPort(), answers);

            up.awaitOutput("(refused " + listener + ")", LIMIT);
            assertThat(up.output().replaceAll("\\s+", " ")).contains(listener, "Address already in use");
            await().atMost(LIMIT).untilAsserted(() -> assertThat(alarms(controller, "second"))
                    .contains(listener, "Address already in use"));
            JsonNode ended = RunEnd.awaitOf(controller, start(controller, "second", answers), LIMIT);
            assertThat(ended.path("stopReason").path("detail").asString())
                    .contains(listener, "Address already in use");

            folder.envoy().destroyForcibly();
            up.awaitOutput("(users were refused for)", LIMIT);
            await().atMost(LIMIT).ignoreExceptions()
                    .untilAsserted(() -> assertThat(answers.ask(served)).isEqualTo(200));
            await().atMost(LIMIT).untilAsserted(() -> assertThat(alarms(controller, "second")).contains(listener));

            taken.close();
            up.awaitOutput("(No proxy refuses anything of service second any more)", LIMIT);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(alarms(controller, "second")).isEmpty());
            up.interrupt();
            up.awaitExit(LIMIT);
        }
    }

    private static String alarms(ApiClient controller, String service) {
        StringBuilder alarms = new StringBuilder();
        for (JsonNode known : controller.get("/services").path("items")) {
            if (known.path("name").asString().equals(service)) {
                known.path("alarms").forEach(alarm -> alarms.append(alarm.asString()));
            }
        }
        return alarms.toString();
    }
}
