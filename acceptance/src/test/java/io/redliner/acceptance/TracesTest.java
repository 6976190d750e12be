// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.testkit.PlanText;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Traces of users, from the header of a request through Envoy's access log, the collector and the analyzer to the API. */
@Tag("soak")
class TracesTest {

    private static final String PLACE = "https://traces.example/trace/";

    private static final int TRACED_REQUESTS_PER_SECOND = 40;

    private static final Duration RUN_END = Duration.ofMinutes(4);

    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    @Test
    void the_slowest_requests_of_a_breach_are_named_by_the_traces_of_their_users() throws Exception {
        SlowFleet fleet = SlowFleet.QUARTER_RATE;
        try (LiveStack stack = new LiveStack(Map.of("redliner.controller.traces.url", PLACE + "{traceId}"));
                OwnService service = fleet.service("traced");
                SteadyUsers users = new SteadyUsers(() -> traced(HttpRequest.newBuilder(service.address())),
                        TRACED_REQUESTS_PER_SECOND)) {
            stack.serve(service);
            service.awaitReady(stack.controller());
            users.start();
            stack.controller().putPlan("traced",
                    PlanText.of(service.name(), fleet.oddInstance(service), "profile: load",
                            "load: {share: 60%, ramp: 5s, hold: 30s}", PlanText.sla(fleet.limit().toMillis() + "ms"),
                            "limits: {maxShare: 70%, maxRaise: 2x, maxDuration: 3m, harmBudget: 20%, window: 1s}"));

            String run = stack.controller().startRun("traced");
            JsonNode ended = RunEnd.awaitOf(stack.controller(), run, RUN_END);

            List<JsonNode> slowest = stack.controller().get("/runs/" + run + "/timeline").path("highlights")
                    .valueStream().flatMap(highlight -> highlight.path("slowest").valueStream()).toList();
            assertThat(slowest).as(ended.toString()).isNotEmpty().allSatisfy(request -> {
                String trace = request.path("traceId").asString();
                assertThat(sent).contains(trace);
                assertThat(request.path("url").asString()).isEqualTo(PLACE + trace);
                assertThat(request.path("latencySeconds").asDouble()).isPositive();
            });
        }
    }

    private HttpRequest.Builder traced(HttpRequest.Builder request) {
        byte[] random = new byte[24];
        ThreadLocalRandom.current().nextBytes(random);
        String trace = HexFormat.of().formatHex(random, 0, 16);
        sent.add(trace);
        return request.header("traceparent", "00-" + trace + "-" + HexFormat.of().formatHex(random, 16, 24) + "-01");
    }
}
