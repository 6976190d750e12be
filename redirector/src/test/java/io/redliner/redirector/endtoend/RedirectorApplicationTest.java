// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Cohort;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.Redirect;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.redirector.RedirectorApplication;
import io.redliner.redirector.config.InvalidServicesFileException;
import io.redliner.redirector.envoy.XdsServer;
import io.redliner.redirector.envoy.XdsServer.XdsPortInUseException;
import io.redliner.testkit.TestKit;
import io.redliner.testkit.TestProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The application as it is deployed: leases from Kafka, statuses to Kafka, a proxy, health and metrics over HTTP. */
@Timeout(600)
class RedirectorApplicationTest {

    private static final String REDIRECTOR = "redirector-under-test";

    /** Shorter than the default of one second. */
    private static final Duration STATUS_INTERVAL = Duration.ofMillis(500);

    private static final int TTL_MILLIS = 3_000;

    /** How long Kubernetes waits by default until it kills a process that is to end. */
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(30);

    private static KafkaProducer<byte[], byte[]> leases;

    private static KafkaConsumer<byte[], byte[]> statuses;

    @TempDir
    private Path folder;

    private final List<LeaseStatus> seen = new ArrayList<>();

    @BeforeAll
    static void openClients() {
        String kafka = SharedKafka.bootstrapServers();
        leases = new KafkaProducer<>(Map.of("bootstrap.servers", kafka), new ByteArraySerializer(),
                new ByteArraySerializer());
        statuses = new KafkaConsumer<>(Map.of("bootstrap.servers", kafka),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = statuses.partitionsFor(TopicNames.DEFAULT.name(Topic.LEASE_STATUS)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        statuses.assign(partitions);
        statuses.seekToBeginning(partitions);
    }

    @AfterAll
    static void closeClients() {
        leases.close(Duration.ofSeconds(1));
        statuses.close();
    }

    private ConfigurableApplicationContext start(String services, int xdsPort) {
        Path file = folder.resolve("services.yaml");
        try {
            Files.writeString(file, services);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return RedirectorApplication.builder().run("--server.port=0",
                "--redliner.kafka.bootstrap-servers=" + SharedKafka.bootstrapServers(),
                "--redliner.redirector.messaging.redirector=" + REDIRECTOR,
                "--redliner.redirector.loop.status-interval=" + STATUS_INTERVAL.toMillis() + "ms",
                "--redliner.redirector.services.file=" + file, "--redliner.redirector.xds.port=" + xdsPort);
    }

    private static String services(String name) {
        return """
                services:
                  - name: %s
                    listen: "127.0.0.1:%d"
                    instances: ["127.0.0.1:9001", "127.0.0.1:9002", {address: "127.0.0.1:9003", weight: 2}]
                """.formatted(name, FreePort.next());
    }

    private static void send(String service, byte[] value) {
        assertThat(leases.send(
                new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASES), service.getBytes(StandardCharsets.UTF_8),
                        value)))
                .succeedsWithin(Duration.ofSeconds(60));
    }

    private static Lease lease(String service, long sequence, Instant issuedAt) {
        return Lease.newBuilder().setService(service).setRunId("run-1").setEpoch(1).setSequence(sequence)
                .setSut("127.0.0.1:9003").setSharePpm(700_000).setTtlMs(TTL_MILLIS)
                .setIssuedAtMs(issuedAt.toEpochMilli()).setExpiresAtMs(issuedAt.toEpochMilli() + TTL_MILLIS).build();
    }

    private LeaseStatus awaitStatus(String service, Predicate<LeaseStatus> wanted) {
        await().until(() -> {
            for (var message : statuses.poll(Duration.ofMillis(100))) {
                seen.add(LeaseStatus.parseFrom(message.value()));
            }
            return own(service).stream().anyMatch(wanted);
        });
        return own(service).stream().filter(wanted).findFirst().orElseThrow();
    }

    private List<LeaseStatus> own(String service) {
        // The redirectors of other tests refuse leases on services that they do not know.
        return seen.stream().filter(status -> status.getService().equals(service)
                && status.getRedirector().equals(REDIRECTOR)).toList();
    }

    private static String http(ConfigurableApplicationContext context, String path) {
        return new AdminClient(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class))
                .get(path);
    }

    @Test
    void a_lease_on_the_topic_comes_back_as_applied() {
        // given
        send("round-trip", new byte[]{1, 2, 3});
        send("round-trip", lease("round-trip", 1, Instant.now().minusSeconds(60)).toByteArray());
        try (ConfigurableApplicationContext context = start(services("round-trip"), 0);
                TestProxy proxy = TestKit.proxy(EnvoyBootstrap.everything("node-1",
                        context.getBean(XdsServer.class).port(), FreePort.next(), FreePort.next()), folder)) {
            proxy.awaitLive(Duration.ofMinutes(1));
            LeaseStatus natural = awaitStatus("round-trip", status -> status.getProxiesCount() == 1
                    && status.getState() == LeaseState.LEASE_STATE_NATURAL);
            assertThat(natural.getRedirector()).isEqualTo(REDIRECTOR);
            assertThat(natural.getInstancesList()).extracting(Instance::getNaturalSharePpm)
                    .containsExactly(250_000, 250_000, 500_000);

            // when
            send("round-trip", lease("round-trip", 2, Instant.now()).toByteArray());

            // then
            LeaseStatus applied = awaitStatus("round-trip",
                    status -> status.getState() == LeaseState.LEASE_STATE_APPLIED);
            assertThat(applied.getSharePpm()).isEqualTo(700_000);
            assertThat(applied.getLeaseSequence()).isEqualTo(2);
            assertThat(applied.getProxiesList()).singleElement().satisfies(known -> {
                assertThat(known.getNode()).isEqualTo("node-1");
                assertThat(known.getConnected()).isTrue();
                assertThat(known.getAckedVersion()).isEqualTo(known.getWantedVersion());
            });
            assertThat(http(context, "/actuator/health")).contains("\"status\":\"UP\"").doesNotContain("DOWN");
            assertThat(http(context, "/actuator/prometheus"))
                    .contains("redliner_share_ratio{service=\"round-trip\"} 0.7")
                    .contains("redliner_proxies{service=\"round-trip\"} 1.0")
                    .contains("redliner_leases_total{reason=\"none\",result=\"accepted\"} 1.0")
                    .contains("redliner_leases_total{reason=\"unreadable\",result=\"rejected\"} 1.0")
                    .contains("redliner_leases_total{reason=\"expired\",result=\"rejected\"} 1.0");

            // when nobody renews, then
            LeaseStatus expired = awaitStatus("round-trip",
                    status -> status.getState() == LeaseState.LEASE_STATE_EXPIRED);
            assertThat(expired.getSharePpm()).isEqualTo(500_000);
        }
    }

    @Test
    void each_bad_lease_is_refused_with_a_reason_on_the_status_topic_and_changes_nothing() {
        try (ConfigurableApplicationContext context = start(services("strict"), 0);
                TestProxy proxy = TestKit.proxy(EnvoyBootstrap.everything("node-1",
                        context.getBean(XdsServer.class).port(), FreePort.next(), FreePort.next()), folder)) {
            proxy.awaitLive(Duration.ofMinutes(1));
            awaitStatus("strict", status -> status.getProxiesCount() == 1);
            Instant now = Instant.now();
            Lease good = lease("strict", 1, now).toBuilder().setEpoch(7).setTtlMs(30_000)
                    .setExpiresAtMs(now.toEpochMilli() + 30_000).build();
            Cohort get = Cohort.newBuilder().setName("get").addMethods("GET").build();
            Cohort read = Cohort.newBuilder().setName("read").setPathPrefix("/read").build();
            refused(good.toBuilder().setEpoch(5)
                    .setRedirect(Redirect.newBuilder().addCohorts(get).addCohorts(read)).build(),
                    "BAD_REDIRECT: cohort 'read' may match the same request as cohort 'get'");
            refused(good.toBuilder().setEpoch(6).setSut("127.0.0.1:1").build(),
                    "UNKNOWN_INSTANCE: instance 127.0.0.1:1");
            // given a lease that is in force for half a minute
            send("strict", good.toByteArray());
            LeaseStatus applied = awaitStatus("strict", status -> status.getState() == LeaseState.LEASE_STATE_APPLIED);

            // when, then
            Lease next = good.toBuilder().setEpoch(8).setRunId("run-8").build();
            refused(next, "OTHER_RUN: ");
            refused(good.toBuilder().setSequence(2).setSharePpm(1_000_001).build(),
                    "SHARE_OUT_OF_BOUNDS: share 1000001 ppm");
            refused(good.toBuilder().setEpoch(6).build(), "LOWER_EPOCH: epoch 6 is fenced off");
            refused(next.toBuilder().setService("nowhere").build(), "UNKNOWN_SERVICE: service nowhere");
            refused(good.toBuilder().setSequence(4).setIssuedAtMs(1).setExpiresAtMs(2).build(), "EXPIRED: it ran out");
            int before = own("strict").size();
            awaitStatus("strict", status -> own("strict").size() >= before + 2);
            LeaseStatus last = own("strict").getLast();
            assertThat(last.getEpoch()).isEqualTo(7);
            assertThat(last.getState()).isEqualTo(LeaseState.LEASE_STATE_APPLIED);
            assertThat(last.getSharePpm()).isEqualTo(700_000);
            assertThat(last.getProxiesList()).isEqualTo(applied.getProxiesList());
        }
    }

    private void refused(Lease lease, String reason) {
        send(lease.getService(), lease.toByteArray());
        LeaseStatus refusal = awaitStatus(lease.getService(), status -> status.getReason().startsWith(reason));
        assertThat(refusal.getState()).isEqualTo(LeaseState.LEASE_STATE_REJECTED);
        assertThat(refusal.getEpoch()).isEqualTo(lease.getEpoch());
    }

    @Test
    void gives_a_sign_of_life_in_each_interval_and_leaves_quickly() {
        // Its threads are in a group of their own: other redirectors run in this JVM.
        ThreadGroup group = new ThreadGroup("alive");
        ConfigurableApplicationContext context = startIn(group, services("alive"));
        awaitStatus("alive", status -> own("alive").size() >= 4);
        assertThat(own("alive").stream().map(LeaseStatus::getAtMs).sorted().toList())
                .satisfies(times -> assertThat(times.getLast() - times.getFirst()).isBetween(
                        STATUS_INTERVAL.multipliedBy(3).dividedBy(2).toMillis(),
                        STATUS_INTERVAL.multipliedBy(15).toMillis()));
        assertThat(threads(group)).contains("redirector-loop", "lease-consumer", "lease-status");

        Instant closing = Instant.now();
        context.close();
        assertThat(Duration.between(closing, Instant.now())).isLessThan(GRACE_PERIOD.dividedBy(2));
        assertThat(threads(group)).doesNotContain("redirector-loop", "lease-consumer", "lease-status");
    }

    private ConfigurableApplicationContext startIn(ThreadGroup group, String services) {
        CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
        Thread.ofPlatform().group(group)
                .start(() -> started.completeAsync(() -> start(services, 0), Runnable::run));
        return started.join();
    }

    private static List<String> threads(ThreadGroup group) {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> group.equals(thread.getThreadGroup()))
                .map(Thread::getName).toList();
    }

    @Test
    void its_last_word_is_that_its_proxies_have_left() {
        ConfigurableApplicationContext context = start(services("leaving"), 0);
        try (TestProxy proxy = TestKit.proxy(EnvoyBootstrap.everything("node-1",
                context.getBean(XdsServer.class).port(), FreePort.next(), FreePort.next()), folder)) {
            proxy.awaitLive(Duration.ofMinutes(1));
            awaitStatus("leaving", RedirectorApplicationTest::connected);

            context.close();

            awaitStatus("leaving", status -> own("leaving").stream().dropWhile(said -> !connected(said))
                    .anyMatch(said -> !connected(said)));
            assertThat(connected(own("leaving").getLast())).isFalse();
            assertThat(proxy.isAlive()).isTrue();
        } finally {
            context.close();
        }
    }

    private static boolean connected(LeaseStatus status) {
        return status.getProxiesList().stream().anyMatch(ProxyStatus::getConnected);
    }

    @Test
    void a_bad_services_file_stops_the_start_with_a_clear_message() {
        assertThatThrownBy(() -> start(services("bad").replace("listen", "lissten"), 0))
                .rootCause()
                .isInstanceOf(InvalidServicesFileException.class)
                .hasMessageContaining(
                        "services.yaml:3:5: $.services[0].lissten: is unknown here; known are name, proxies, ")
                .hasMessageEndingWith("; did you mean listen?");
    }

    @Test
    void a_port_in_use_stops_the_start_with_a_clear_message() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start(services("port"), taken.getLocalPort()))
                    .hasStackTraceContaining(XdsPortInUseException.class.getName())
                    .hasStackTraceContaining("cannot listen for proxies on 127.0.0.1:" + taken.getLocalPort());
        }
    }
}
