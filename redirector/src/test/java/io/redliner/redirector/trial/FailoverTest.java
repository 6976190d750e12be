// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.fixture.Broker;
import io.redliner.fixture.Fixture;
import io.redliner.fixture.Proxy;
import io.redliner.redirector.trial.Scene.Xds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two redirectors as processes, side by side before one proxy; they are killed in the middle of a run. */
@Timeout(600)
class FailoverTest {

    /** Long beside what a start and a takeover take on a machine that does other work as well. */
    private static final long TTL_MILLIS = 20_000;

    private static final long RENEWAL_MILLIS = 500;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    private final int port = FreePort.next();

    private final AtomicLong sequence = new AtomicLong();

    private final ScheduledExecutorService controller = Executors.newSingleThreadScheduledExecutor();

    private final Broker kafka = Fixture.broker();

    private final Bulletin bulletin = new Bulletin(kafka.bootstrapServers());

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()), new ByteArraySerializer(),
            new ByteArraySerializer());

    private final Fleet fleet = new Fleet(4);

    @AfterEach
    void end() {
        controller.shutdownNow();
        producer.close(Duration.ofSeconds(1));
        bulletin.close();
        fleet.close();
        kafka.close();
    }

    private Proxy proxy(RedirectorProcess one, RedirectorProcess other, Xds xds) {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.everything("node-1", one.xdsPort(), FreePort.next(),
                FreePort.next());
        String endpoint = "              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: ";
        String yaml = bootstrap.yaml()
                .replace("api_type: GRPC", xds == Xds.INCREMENTS ? "api_type: DELTA_GRPC" : "api_type: GRPC")
                .replace(endpoint + one.xdsPort() + "}}}",
                        endpoint + one.xdsPort() + "}}}\n" + endpoint + other.xdsPort() + "}}}");
        assertThat(yaml).contains("port_value: " + other.xdsPort());
        Proxy proxy = Fixture.proxy(bootstrap.withYaml(yaml), folder);
        proxy.awaitLive(Duration.ofSeconds(30));
        return proxy;
    }

    private Path services() {
        return ServicesText.listening(folder, port, fleet.addresses());
    }

    // A lease that is not delivered is followed by the next; when none is, the share runs out and the test fails.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void lease(String sut) {
        Instant now = Instant.now();
        Lease lease = Lease.newBuilder().setService("demo").setRunId("run-1").setEpoch(1)
                .setSequence(sequence.incrementAndGet()).setSut(sut).setSharePpm(1_000_000).setTtlMs(TTL_MILLIS)
                .setIssuedAtMs(now.toEpochMilli()).setExpiresAtMs(now.toEpochMilli() + TTL_MILLIS).build();
        producer.send(
                new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASES), "demo".getBytes(StandardCharsets.UTF_8),
                        lease.toByteArray()));
    }

    private static boolean applied(LeaseStatus status) {
        return status.getState() == LeaseState.LEASE_STATE_APPLIED && status.getProxiesCount() == 1;
    }

    /** Sends requests for as long as this takes, and says who answered how many. */
    private static Map<String, Integer> during(Traffic traffic, Bulletin bulletin, Duration atLeast,
            java.util.function.BooleanSupplier done) {
        Map<String, Integer> answers = new TreeMap<>();
        Instant start = Instant.now();
        await().pollInterval(Duration.ofMillis(10)).pollDelay(Duration.ZERO)
                .until(() -> {
                    traffic.send(50).forEach((instance, count) -> answers.merge(instance, count, Integer::sum));
                    bulletin.read();
                    return Duration.between(start, Instant.now()).compareTo(atLeast) > 0 && done.getAsBoolean();
                });
        return answers;
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    @ParameterizedTest
    @EnumSource(Xds.class)
    void not_one_request_is_misrouted_when_a_redirector_is_killed_and_all_is_natural_when_both_are(Xds xds) {
        Path services = services();
        String sut = fleet.addresses().getLast();
        try (RedirectorProcess one = new RedirectorProcess("one", kafka.bootstrapServers(), services,
                FreePort.next(), folder);
                RedirectorProcess other = new RedirectorProcess("other", kafka.bootstrapServers(), services,
                        FreePort.next(), folder);
                Proxy proxy = proxy(one, other, xds);
                Traffic traffic = new Traffic(port)) {
            // given a share of everything, in force by one of the two
            controller.scheduleAtFixedRate(() -> lease(sut), 0, RENEWAL_MILLIS, TimeUnit.MILLISECONDS);
            awaitApplied("one", "other");
            boolean first = bulletin.last("one", FailoverTest::applied).isPresent();
            LeaseStatus before = bulletin.last(first ? "one" : "other", FailoverTest::applied).orElseThrow();
            assertThat(traffic.send(100)).containsOnlyKeys(sut);

            // when it is killed
            (first ? one : other).kill();

            // then for longer than the lease's time to live everything still goes to the SUT, by the other's word
            String successor = first ? "other" : "one";
            assertThat(during(traffic, bulletin, Duration.ofMillis(TTL_MILLIS + 2_000),
                    () -> bulletin.last(successor, FailoverTest::applied).isPresent())).containsOnlyKeys(sut);
            LeaseStatus after = bulletin.last(successor, FailoverTest::applied).orElseThrow();
            assertThat(after.getProxies(0).getAckedVersion()).isEqualTo(before.getProxies(0).getAckedVersion());

            // when that is killed, too, then the proxy goes back by itself though leases are still renewed
            (first ? other : one).kill();
            during(traffic, bulletin, Duration.ZERO,
                    () -> traffic.send(200).keySet().equals(Set.copyOf(fleet.addresses())));

            // when one comes back while leases are renewed, then everything goes to the SUT again
            try (RedirectorProcess again = new RedirectorProcess("again", kafka.bootstrapServers(), services,
                    one.xdsPort(), folder)) {
                awaitApplied("again");
                assertThat(again.xdsPort()).isEqualTo(one.xdsPort());
                assertThat(traffic.send(100)).containsOnlyKeys(sut);
                assertThat(proxy.isAlive()).isTrue();
            }
        }
    }

    private void awaitApplied(String... redirectors) {
        await().untilAsserted(() -> {
            bulletin.read();
            assertThat(Stream.of(redirectors).map(redirector -> bulletin.last(redirector, status -> true)))
                    .anySatisfy(last -> assertThat(last).get().matches(FailoverTest::applied));
        });
    }
}
