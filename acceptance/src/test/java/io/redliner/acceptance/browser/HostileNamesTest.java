// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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
