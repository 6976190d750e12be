// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.testkit.TestKit;
import io.redliner.testkit.TestProxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two redirectors as processes, side by side before one proxy; they are killed in the middle of a run. */
@Tag("fault")
@Timeout(600)
class FailoverTest {

    /** The controller's default. */
    private static final Duration TTL = Duration.ofSeconds(5);

    private static final Duration RENEWAL = Duration.ofSeconds(1);

    private static final int FAST_CLIENTS = 1;

    private static final List<String> REDIRECTORS = List.of("one", "other");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    private final int port = FreePort.next();

    private final String service = SharedRedirector.nextName();

    private final AtomicLong epoch = new AtomicLong(1);

    private final AtomicLong sequence = new AtomicLong();

    private final ScheduledExecutorService controller = Executors.newSingleThreadScheduledExecutor();

    private final LeaseStatusReader leaseStatuses = new LeaseStatusReader(SharedKafka.bootstrapServers(), service);

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", SharedKafka.bootstrapServers()), new ByteArraySerializer(),
            new ByteArraySerializer());

    private final Fleet fleet = new Fleet(4);

    private final String sut = fleet.addresses().getLast();

    @AfterEach
    void end() {
        controller.shutdownNow();
        producer.close(Duration.ofSeconds(1));
        leaseStatuses.close();
        fleet.close();
    }

    private RedirectorProcess redirector(String name, int xdsPort) {
        return new RedirectorProcess(name, SharedKafka.bootstrapServers(), services(), xdsPort, folder);
    }

    private TestProxy proxy(RedirectorProcess one, RedirectorProcess other, Xds xds) {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.everything("node-1", one.xdsPort(), FreePort.next(),
                FreePort.next());
        String endpoint = "              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: ";
        String yaml = bootstrap.yaml()
                .replace("api_type: GRPC", xds == Xds.INCREMENTS ? "api_type: DELTA_GRPC" : "api_type: GRPC")
                .replace(endpoint + one.xdsPort() + "}}}",
                        endpoint + one.xdsPort() + "}}}\n" + endpoint + other.xdsPort() + "}}}");
        assertThat(yaml).contains("port_value: " + other.xdsPort());
        TestProxy proxy = TestKit.proxy(bootstrap.withYaml(yaml), folder);
        proxy.awaitLive(Duration.ofMinutes(1));
        return proxy;
    }

    private Path services() {
        return ServicesText.listening(folder, service, port, fleet.addresses());
    }

    // A lease that is not delivered is followed by the next; when none is, the share runs out and the test fails.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void lease() {
        Instant now = Instant.now();
        Lease lease = Lease.newBuilder().setService(service).setRunId("run-" + epoch.get()).setEpoch(epoch.get())
                .setSequence(sequence.incrementAndGet()).setSut(sut).setSharePpm(1_000_000).setTtlMs(TTL.toMillis())
                .setIssuedAtMs(now.toEpochMilli()).setExpiresAtMs(now.plus(TTL).toEpochMilli()).build();
        producer.send(
                new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASES), service.getBytes(StandardCharsets.UTF_8),
                        lease.toByteArray()));
    }

    private static boolean applied(LeaseStatus status) {
        return status.getState() == LeaseState.LEASE_STATE_APPLIED && status.getProxiesCount() == 1;
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    @SuppressWarnings("FutureReturnValueIgnored")
    void no_request_fails_or_is_misrouted_when_a_redirector_is_killed_and_all_is_natural_when_both_are(Xds xds) {
        try (RedirectorProcess one = redirector("one", FreePort.next());
                RedirectorProcess other = redirector("other", FreePort.next());
                TestProxy proxy = proxy(one, other, xds);
                Traffic traffic = new Traffic(port)) {
            // given a share of everything, in force by one of the two
            controller.scheduleAtFixedRate(this::lease, 0, RENEWAL.toMillis(), TimeUnit.MILLISECONDS);
            awaitAppliedAndKnown();
            boolean first = leaseStatuses.last("one", FailoverTest::applied).isPresent();
            LeaseStatus before = leaseStatuses.last(first ? "one" : "other", FailoverTest::applied).orElseThrow();
            assertThat(traffic.send(100)).containsOnlyKeys(sut);
            String successor = first ? "other" : "one";
            try (Load load = new Load(port, FAST_CLIENTS, Integer.MAX_VALUE)) {
                // when it is killed
                (first ? one : other).kill();
                Instant killed = Instant.now();

                // then for longer than the lease's time to live everything still goes to the SUT, by the other's word
                Instant over = killed.plus(TTL.multipliedBy(11).dividedBy(10));
                await().pollInterval(Duration.ofMillis(10)).until(() -> {
                    leaseStatuses.read();
                    return load.done() > 0 && Instant.now().isAfter(over)
                            && leaseStatuses.last(successor, FailoverTest::applied).isPresent();
                });
                assertThat(load.stop()).containsOnlyKeys(sut);
            }
            LeaseStatus after = leaseStatuses.last(successor, FailoverTest::applied).orElseThrow();
            assertThat(after.getProxies(0).getAckedVersion()).isEqualTo(before.getProxies(0).getAckedVersion());

            // when that is killed, too, then the proxy goes back by itself though leases are still renewed
            (first ? other : one).kill();
            Instant bothKilled = Instant.now();
            assertThat(LastUnrestoredAnswer.of(traffic, sut).asked())
                    .isBetween(bothKilled, bothKilled.plus(TTL).plus(RENEWAL));
            assertThat(traffic.send(200)).containsOnlyKeys(fleet.addresses());

            // when one comes back while leases are renewed, then everything goes to the SUT again
            try (RedirectorProcess again = redirector("again", one.xdsPort())) {
                awaitApplied("again");
                assertThat(again.xdsPort()).isEqualTo(one.xdsPort());
                assertThat(traffic.send(100)).containsOnlyKeys(sut);
                assertThat(proxy.isAlive()).isTrue();
            }
        }
    }

    /**
     * Waits until one redirector has applied the share and the other one reports the same lease: a process that is still
     * starting cannot take over. A lease that ran out meanwhile is followed by one of a new epoch, as it would be by a new run.
     */
    private void awaitAppliedAndKnown() {
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            leaseStatuses.read();
            if (REDIRECTORS.stream().anyMatch(redirector -> leaseStatuses.last(redirector, this::ended).isPresent())) {
                epoch.incrementAndGet();
            }
            return REDIRECTORS.stream()
                    .anyMatch(redirector -> leaseStatuses.last(redirector, FailoverTest::applied).isPresent())
                    && REDIRECTORS.stream().allMatch(redirector -> leaseStatuses
                            .last(redirector, status -> status.getEpoch() == epoch.get()).isPresent());
        });
    }

    private boolean ended(LeaseStatus status) {
        return status.getEpoch() == epoch.get() && switch (status.getState()) {
            case LEASE_STATE_EXPIRED, LEASE_STATE_FAILED, LEASE_STATE_REJECTED -> true;
            case LEASE_STATE_NATURAL, LEASE_STATE_PENDING, LEASE_STATE_APPLIED, LEASE_STATE_UNSPECIFIED, UNRECOGNIZED ->
                false;
        };
    }

    private void awaitApplied(String redirector) {
        await().untilAsserted(() -> {
            leaseStatuses.read();
            assertThat(leaseStatuses.last(redirector, status -> true)).get().matches(FailoverTest::applied);
        });
    }
}
