// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.ObjectNode;

/** Somebody who can write to Kafka, or names things, gets no script into anybody's page. */
@Tag("browser")
class HostileNamesTest {

    /** Without what no address may hold: a slash, a semicolon, a percent sign. */
    private static final String SCRIPT = "<script>document.title='taken'<img src=x onerror=alert(1)>\"'&amp";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    @Test
    void a_script_in_a_services_name_is_text() throws Exception {
        tellOf(SCRIPT);
        Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE).open("/");
        Page page = visitor.page();

        assertThat(page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName(SCRIPT).setExact(true))).isVisible();
        visitor.assertNoHorizontalScrolling();
        visitor.assertAccessible();
        visitor.screenshot("overview-hostile");
        page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName(SCRIPT).setExact(true)).click();

        assertThat(page.getByRole(AriaRole.HEADING, new GetByRoleOptions().setLevel(1))).isVisible();
        assertThat(page.title()).isNotEqualTo("taken");
        visitor.troubles().expect("status of 4");
    }

    @Test
    void a_script_in_a_reason_is_text() {
        dashboard.duringRun(run -> {
            dashboard.controller().abortRun(run, SCRIPT);
            dashboard.awaitEnd(run);
            Page page = visits.visitor(dashboard.address(), Look.LIGHT).open("/").page();

            assertThat(page.getByText(SCRIPT).first()).isVisible();
        });
    }

    @Test
    void one_word_of_3000_letters_and_a_right_to_left_override_stay_in_their_places() {
        String word = "W".repeat(3000);
        String reversed = "abc\u202Exof";
        for (Look look : List.of(Look.PHONE, Look.LIGHT)) {
            Visitor visitor = visits.visitor(dashboard.address(), look);
            answer(visitor, "**/sizing/fleet?*", """
                    {"headroom": 0.3, "growth": 0, "services": 2, "items": [%s, %s]}"""
                    .formatted(provision(word), provision(reversed)));
            answer(visitor, "**/activity",
                    """
                            {"from": "2026-01-30T09:00:00Z", "to": "2026-01-31T09:00:00Z", "complete": true, "runs": [{"id": "x",
                              "service": "%s", "phase": "Finished", "outcome": "FAILED", "from": "2026-01-31T07:00:00Z",
                              "to": "2026-01-31T08:00:00Z"}], "freezes": [], "deployments": [{"id": "y", "service": "%s",
                              "version": "%s", "at": "2026-01-31T07:00:00Z"}]}"""
                            .formatted(word, reversed, word));
            visitor.open("/");
            visitor.page().getByText(Pattern.compile("^As a list")).click();
            assertThat(visitor.page().getByText(word).first()).isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("overview-long-names");

            visitor.open("/services");
            assertThat(visitor.page().getByText(word).first()).isVisible();
            // What turns the direction of writing ends with the name.
            assertThat(visitor.page().locator("bdi").filter(new Locator.FilterOptions().setHasText(reversed)).first())
                    .isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
        }
    }

    @Test
    void one_word_of_3000_letters_in_a_run_stays_in_its_place_wherever_the_run_is_shown() {
        String word = "W".repeat(3000);
        String id = dashboard.finishedOnce();
        ObjectNode run = (ObjectNode) dashboard.controller().get("/runs/" + id);
        run.remove("result");
        run.put("service", word).put("sut", word).put("plan", word).put("outcome", "ABORTED").put("headline", word);
        ((ObjectNode) run.get("stopReason")).put("code", "AbortRequested").put("detail", word);
        ((ObjectNode) run.get("restore")).put("detail", word);
        for (Look look : List.of(Look.PHONE, Look.LIGHT)) {
            Visitor visitor = visits.visitor(dashboard.address(), look);
            answer(visitor, "**/api/v1/runs/" + id, run.toString());
            visitor.context().route(Pattern.compile(".*/api/v1/runs\\?.*"),
                    route -> route.fulfill(new Route.FulfillOptions().setContentType("application/json")
                            .setBody("{\"items\": [" + run + "]}")));
            for (String path : List.of("/runs/" + id, "/runs", "/", "/services/shop-backend")) {
                visitor.open(path);
                assertThat(visitor.page().getByText(word).first()).isVisible();
                visitor.assertNoHorizontalScrolling();
                visitor.screenshot("long-words" + path.replaceAll("[/0-9a-f-]{30,}|/", "-"));
            }
        }
    }

    private static String provision(String service) {
        return """
                {"service": "%s", "verdict": "UNKNOWN", "instances": 3, "capacities": [], "stale": false, "reason": "", \
                "recent": []}"""
                .formatted(service);
    }

    private static void answer(Visitor visitor, String address, String json) {
        visitor.context().route(address, route -> route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody(json)));
    }

    private void tellOf(String service) throws Exception {
        LeaseStatus status = LeaseStatus.newBuilder().setService(service).setRedirector("redirector-" + service)
                .setAtMs(Clock.systemUTC().millis()).setState(LeaseState.LEASE_STATE_NATURAL)
                .addProxies(ProxyStatus.newBuilder().setNode("node-1").setConnected(true))
                .addInstances(Instance.newBuilder().setAddress("10.0.0.1:80").setNaturalSharePpm(1_000_000)).build();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, dashboard.stack().bootstrapServers()),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASE_STATUS),
                    service.getBytes(StandardCharsets.UTF_8),
                    status.toByteArray())).get();
        }
    }
}
