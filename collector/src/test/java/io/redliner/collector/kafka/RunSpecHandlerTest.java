// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.Requests;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.WindowSettings;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.StatusRange;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunSpecHandlerTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RunSpecHandler runs = new RunSpecHandler(windows, new SimpleMeterRegistry());

    private final InstanceRegistry instances = new InstanceRegistry(List.of());

    private final LeaseStatusHandler statuses = new LeaseStatusHandler(windows, instances, new SimpleMeterRegistry());

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    private Instant at = NOON;

    @BeforeEach
    void seeAnInstance() {
        windows.accept(stream, List.of(Requests.started("a", "10.0.0.1:80", NOON)), NOON);
    }

    @Test
    void a_run_names_the_window_and_the_limits() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);

        WindowCounts last = lastWindow();
        assertThat(last.length()).isEqualTo(Duration.ofMillis(100));
        assertThat(last.overdue()).extracting(OverdueCount::limit).containsExactly(Duration.ofMillis(200));
        assertThat(runs.applied()).isEqualTo(1);
    }

    @Test
    void a_finished_run_leaves_the_ordinary_window() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_FINISHED, 100).toByteArray(), NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofSeconds(1));
        assertThat(runs.applied()).isEqualTo(2);
    }

    @Test
    void the_records_of_invented_services_are_bounded_and_push_no_newer_run_away() {
        for (int i = 0; i < RunSpecHandler.MAX_SERVICES + 500; i++) {
            String invented = "invented-" + i;
            runs.apply(invented, run(3, RunPhase.RUN_PHASE_FINISHED, 100).toBuilder().setService(invented).build()
                    .toByteArray(), NOON);
        }
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);

        assertThat(runs.services()).isEqualTo(RunSpecHandler.MAX_SERVICES);
        assertThat(lastWindow().length()).isEqualTo(Duration.ofMillis(100));
        runs.apply("shop", run(2, RunPhase.RUN_PHASE_FINISHED, 100).toByteArray(), NOON);
        assertThat(runs.stale()).isEqualTo(1);
    }

    @Test
    void a_lease_status_lists_the_services_instances_unless_the_redirector_does_not_know_it() {
        statuses.apply("shop", status(500, 599).toBuilder().setRedirector("r1")
                .addInstances(Instance.newBuilder().setAddress("10.0.0.1:80")).build().toByteArray(), NOON);
        statuses.apply("shop", LeaseStatus.newBuilder().setService("shop").setRedirector("r1").build().toByteArray(),
                NOON);

        assertThat(instances.known(NOON)).extracting(target -> target.instanceId().toString())
                .containsExactly("10.0.0.1:80 of shop");
    }

    @Test
    void a_deleted_record_leaves_the_ordinary_window() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);
        runs.apply("shop", null, NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_controller_that_lost_its_run_is_not_obeyed() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);
        runs.apply("shop", run(2, RunPhase.RUN_PHASE_FINISHED, 100).toByteArray(), NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofMillis(100));
        assertThat(runs.stale()).isEqualTo(1);
    }

    @Test
    void a_record_that_makes_no_sense_is_counted_and_changes_nothing() {
        runs.apply("shop", new byte[]{1, 2, 3}, NOON);
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, -1).toByteArray(), NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofSeconds(1));
        assertThat(runs.malformed()).isEqualTo(2);
    }

    @Test
    void the_topics_are_followed_past_what_is_poisoned() {
        try (TestBroker kafka = TestKit.sharedBroker();
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()), new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            TopicNames topics = new TopicNames(kafka.topicPrefix());
            send(producer, topics.name(Topic.RUNS), run(1, RunPhase.RUN_PHASE_FINISHED, 1_000).toByteArray());
            send(producer, topics.name(Topic.RUNS), new byte[]{1, 2, 3});
            try (ControlPlaneConsumer follower = new ControlPlaneConsumer(
                    new KafkaProperties(kafka.bootstrapServers(), kafka.topicPrefix(), Map.of()), runs, statuses,
                    InstantSource.fixed(NOON), System::nanoTime)) {
                await().until(() -> runs.applied() == 1 && runs.malformed() == 1);
                send(producer, topics.name(Topic.RUNS), run(2, RunPhase.RUN_PHASE_BASELINE, 100).toByteArray());

                await().until(() -> runs.applied() == 2);
                send(producer, topics.name(Topic.LEASE_STATUS), new byte[]{1, 2, 3});
                send(producer, topics.name(Topic.LEASE_STATUS), status(404, 404).toByteArray());
                await().until(() -> errorsOf(404) == 1);
                assertThat(statuses.malformed()).isEqualTo(1);
                assertThat(follower.isAlive()).isTrue();
                assertThat(follower.problem()).isEmpty();
            }
            assertThat(lastWindow().length()).isEqualTo(Duration.ofMillis(100));
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] value) {
        assertThat(producer.send(
                new ProducerRecord<>(topic, "shop".getBytes(StandardCharsets.UTF_8),
                        value)))
                .succeedsWithin(Duration.ofSeconds(60));
    }

    @Test
    void a_service_says_by_which_statuses_its_instances_fail() {
        assertThat(errorsOf(404)).isZero();
        statuses.apply("shop", status(400, 499).toByteArray(), NOON);
        assertThat(errorsOf(404)).isEqualTo(1);
        assertThat(errorsOf(503)).isZero();

        statuses.apply("shop", LeaseStatus.newBuilder().setService("shop").build().toByteArray(), NOON);
        assertThat(errorsOf(404)).as("a redirector of a version before says nothing of it").isEqualTo(1);
        statuses.apply("shop", status(600, 700).toByteArray(), NOON);
        statuses.apply("shop", null, NOON);
        assertThat(errorsOf(404)).isEqualTo(1);
        assertThat(statuses.malformed()).isEqualTo(1);
    }

    @Test
    void a_service_says_which_of_its_requests_are_streams() {
        statuses.apply("shop", status(500, 599).toBuilder().addStreams("/feed").build().toByteArray(), NOON);
        statuses.apply("shop", status(500, 599).toBuilder().addStreams("everything").build().toByteArray(), NOON);
        assertThat(statuses.malformed()).isEqualTo(1);

        windows.accept(stream,
                List.of(Requests.ended("", "10.0.0.1:80", at, Duration.ofMillis(1), null).path("/feed/1").status(200)),
                at);
        assertThat(windows.closeDue(at.plusSeconds(2))).singleElement()
                .satisfies(window -> assertThat(window.streams()).isEqualTo(1));
    }

    @Test
    void a_proxy_that_no_redirector_lists_is_unknown() {
        LeaseStatus others = status(500, 599).toBuilder().clearProxies()
                .addProxies(ProxyStatus.newBuilder().setNode("node-2")).build();
        for (int second = 0; second <= 6; second += 2) {
            statuses.apply("shop", others.toByteArray(), NOON.plusSeconds(second));
            assertThat(errorsOf(503)).isZero();
        }
        assertThat(windows.unknownProxies()).containsExactly(Map.entry("node-1", "shop"));

        // One that does not know the service knows none of its proxies either.
        statuses.apply("shop", LeaseStatus.newBuilder().setService("shop").build().toByteArray(), at);
        assertThat(errorsOf(503)).isZero();
        statuses.apply("shop", status(500, 599).toByteArray(), at);
        assertThat(errorsOf(503)).isEqualTo(1);
    }

    @Test
    void of_many_proxies_the_list_counts_and_what_tells_of_some_changes_nothing() {
        LeaseStatus some = status(500, 599).toBuilder().clearProxies().setProxiesConnected(500)
                .addProxies(ProxyStatus.newBuilder().setNode("node-2")).build();
        LeaseStatus all = some.toBuilder().addNodes("node-1").addNodes("node-2").build();
        for (int second = 0; second <= 14; second++) {
            statuses.apply("shop", (second % 5 == 0 ? all : some).toByteArray(), NOON.plusSeconds(second));
            if (second % 2 == 0) {
                assertThat(errorsOf(503)).isEqualTo(1);
            }
        }
        assertThat(windows.unknownProxies()).isEmpty();
    }

    private static LeaseStatus status(int first, int last) {
        return LeaseStatus.newBuilder().setService("shop")
                .addProxies(ProxyStatus.newBuilder().setNode("node-1")).setErrors(ErrorStatuses.newBuilder()
                        .addHttp(StatusRange.newBuilder().setFirst(first).setLast(last)).addGrpc(14))
                .build();
    }

    /** Of one request that is answered so. */
    private long errorsOf(int status) {
        at = at.plusSeconds(2);
        windows.accept(stream,
                List.of(Requests.ended("", "10.0.0.1:80", at, Duration.ofMillis(1), null).status(status)), at);
        return windows.closeDue(at.plusSeconds(2)).stream().flatMap(window -> window.errors().values().stream())
                .mapToLong(count -> count).sum();
    }

    private static RunSpec run(long epoch, RunPhase phase, long windowMillis) {
        return RunSpec.newBuilder().setService("shop").setRunId("run-" + epoch).setEpoch(epoch).setPhase(phase)
                .setWindowLengthMs(windowMillis).addOverdueLimitsMicros(200_000).build();
    }

    private WindowCounts lastWindow() {
        return windows.closeDue(at.plusSeconds(5)).getLast();
    }
}
