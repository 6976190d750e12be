// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/**
 * Records that no component wrote, by somebody with access to the topics or by mistake: none stops the loop, moves traffic past
 * the bounds of its run, releases the kill switch, or becomes a capacity. Kafka, Envoy, the components and the traffic are real.
 */
@Tag("fault")
class ForgedRecordsTest {

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    @RegisterExtension
    final SharedStack shared = SharedStack.forFaults();

    private Orders orders;

    private KafkaProducer<byte[], byte[]> producer;

    @BeforeEach
    void start() {
        orders = new Orders(shared.stack().dashboard(), null);
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", shared.stack().bootstrapServers()),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void stop() {
        producer.close();
        orders.close();
    }

    private void send(Topic topic, String key, @Nullable Message record) {
        var unused = producer
                .send(new ProducerRecord<>(TopicNames.DEFAULT.name(topic), key.getBytes(StandardCharsets.UTF_8),
                        record == null ? null : record.toByteArray()));
    }

    private static Lease.Builder lease(LiveService live, String run, long epoch, long sequence, int ppm) {
        long now = Instant.now().toEpochMilli();
        return Lease.newBuilder().setService(live.service().name()).setRunId(run).setEpoch(epoch)
                .setSequence(sequence).setSut(live.instance()).setSharePpm(ppm).setIssuedAtMs(now)
                .setExpiresAtMs(now + DAY_MILLIS).setTtlMs(30_000);
    }

    private static Lease killSwitch(boolean engaged, long at) {
        return Lease.newBuilder().setKillSwitch(KillSwitch.newBuilder().setEngaged(engaged).setActor("evil")
                .setReason("forged").setAtMs(at)).build();
    }

    private void abort(String run) {
        shared.controller().abortRun(run, "enough");
        RunEnd.awaitOf(shared.controller(), run, LEASE.multipliedBy(6));
    }

    /** The newest record of a service on a topic. */
    private byte[] newest(Topic topic, String service) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", shared.stack().bootstrapServers()), new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.DEFAULT.name(topic)).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
            return await("a record of " + service).until(() -> {
                byte[] found = null;
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    found = new String(record.key(), StandardCharsets.UTF_8).equals(service) ? record.value() : found;
                }
                return found;
            }, Objects::nonNull);
        }
    }

    @Test
    void three_thousand_leases_of_absurd_times_stop_no_run() {
        LiveService live = shared.serve(new LiveService("flooded"));
        String service = live.service().name();
        for (int i = 0; i < 3_000; i++) {
            Lease absurd = lease(live, "evil" + i, 1 + i, 1, 900_000).setExpiresAtMs(Long.MIN_VALUE).build();
            send(Topic.LEASES, i % 2 == 0 ? service + "#" + i : service, absurd);
        }

        String run = live.rampUp(shared.controller());

        abort(run);
        live.awaitNaturalWithin(LEASE);
        live.assertServedAllTheWhile();
    }

    @Test
    void a_forged_release_of_the_kill_switch_and_forged_leases_move_nothing() {
        LiveService live = shared.serve(new LiveService("forged-release"));
        orders.send("POST", "/kill-switch", "{\"reason\": \"drill\"}");
        live.awaitNaturalWithin(LEASE);
        long[] times = {9_000_000_000_000_000L, 0, Instant.now().toEpochMilli() + 1_000};

        for (int i = 0; i < 100; i++) {
            send(Topic.LEASES, "", killSwitch(false, times[i % times.length]));
            send(Topic.LEASES, live.service().name(), lease(live, "evil", 1_000L + i, 1, 900_000).build());
            // The requests take the time in between.
            assertThat(live.service().shareOfNext(50, live.instance())).as("after %s records", i).isLessThan(0.6);
        }
        assertThat(live.service().shareOfNext(1_500, live.instance())).isBetween(0.20, 0.30);

        orders.send("DELETE", "/kill-switch?reason=over");
        abort(shared.controller().startRun(plan(live)));
    }

    /** Stores a plan of the service, and gives its name. */
    private String plan(LiveService live) {
        String run = live.rampUp(shared.controller());
        abort(run);
        return live.service().name();
    }

    @Test
    void a_forged_kill_switch_is_refused_under_a_key_of_its_own_and_otherwise_shown_and_released() {
        LiveService live = shared.serve(new LiveService("forged-switch"));
        send(Topic.LEASES, "evilkey", killSwitch(true, 9_000_000_000_000_001L));
        abort(live.rampUp(shared.controller()));

        send(Topic.LEASES, "", killSwitch(true, 9_000_000_000_000_001L));
        await("the switch is shown").atMost(LEASE.multipliedBy(4))
                .until(() -> shared.controller().get("/kill-switch").path("engaged").asBoolean());
        assertThat(shared.controller().get("/kill-switch").path("actor").asString()).isEqualTo("evil");
        orders.send("DELETE", "/kill-switch?reason=over");

        abort(live.rampUp(shared.controller()));
    }

    @Test
    void a_forged_end_of_a_run_hides_no_later_run() {
        LiveService live = shared.serve(new LiveService("forged-end"));
        String service = live.service().name();
        for (long epoch : new long[]{-1, Long.MAX_VALUE, 900_000}) {
            send(Topic.RUNS, service, RunSpec.newBuilder().setService(service).setRunId("evil").setEpoch(epoch)
                    .setPhase(RunPhase.RUN_PHASE_FINISHED).build());
        }

        abort(live.rampUp(shared.controller()));
    }

    @Test
    void a_forged_answer_is_no_capacity() throws InvalidProtocolBufferException {
        LiveService live = shared.serve(new LiveService("forged-answer"));
        String run = live.rampUp(shared.controller());
        Verdict newest = Verdict.parseFrom(newest(Topic.VERDICTS, live.service().name()));

        Verdict.Builder forged = newest.toBuilder().setSequence(newest.getSequence() + 3);
        forged.getAdviceBuilder().setAction(AdviceAction.ADVICE_ACTION_DONE)
                .setPhase(SearchPhase.SEARCH_PHASE_ENDED).setReason("found");
        forged.getEstimateBuilder().setCapacity(99_999).setLow(99_998).setHigh(100_000)
                .setLimitingRule("no-such-rule");
        send(Topic.VERDICTS, live.service().name(), forged.build());

        JsonNode ended = RunEnd.awaitOf(shared.controller(), run, LEASE.multipliedBy(12));
        assertThat(ended.path("outcome").asString()).as(ended.toString()).isEqualTo("INCONCLUSIVE");
        assertThat(ended.path("stopReason").path("detail").asString()).contains("no-such-rule", "not believed");
        assertThat(ended.path("result").isMissingNode()).as(ended.toString()).isTrue();
        assertThat(ended.at("/estimate/capacity").asDouble(0)).isLessThan(10_000);
        live.awaitNaturalWithin(LEASE);
    }

    @Test
    void a_forged_lease_of_the_live_run_stays_within_its_bounds_and_ends_it() throws InvalidProtocolBufferException {
        LiveService live = shared.serve(new LiveService("forged-lease"));
        String service = live.service().name();
        String run = live.rampUp(shared.controller());
        Lease newest = Lease.parseFrom(newest(Topic.LEASES, service));

        Lease.Builder forged = newest.toBuilder().setTtlMs(30_000)
                .setExpiresAtMs(Instant.now().toEpochMilli() + DAY_MILLIS);
        send(Topic.LEASES, service, forged.setSequence(-1).setSharePpm(1_000_000).build());
        send(Topic.LEASES, service, forged.setSequence(newest.getSequence() + 1_000).build());
        send(Topic.LEASES, service, forged.setMaxSharePpm(1_000_000).build());
        assertThat(live.service().shareOfNext(1_000, live.instance())).as("at most the plan's 60 %").isLessThan(0.7);
        send(Topic.LEASES, service, newest.toBuilder().setSequence(newest.getSequence() + 1_000)
                .setIssuedAtMs(Instant.now().toEpochMilli()).setExpiresAtMs(Instant.now().toEpochMilli() + DAY_MILLIS)
                .setTtlMs(30_000).build());

        live.awaitNaturalWithin(LEASE);
        JsonNode ended = RunEnd.awaitOf(shared.controller(), run, LEASE.multipliedBy(6));
        assertThat(ended.path("stopReason").path("code").asString()).as(ended.toString()).isEqualTo("Fenced");
        live.assertServedAllTheWhile();
    }

    @Test
    void a_forged_lease_of_the_next_epoch_moves_nothing_while_a_run_is_live() throws InvalidProtocolBufferException {
        LiveService live = shared.serve(new LiveService("forged-epoch"));
        String service = live.service().name();
        String run = live.rampUp(shared.controller());
        Lease newest = Lease.parseFrom(newest(Topic.LEASES, service));

        for (int i = 1; i <= 20; i++) {
            send(Topic.LEASES, service, lease(live, "evil", newest.getEpoch() + i, 1, 1_000_000).build());
            assertThat(live.service().shareOfNext(50, live.instance())).as("after %s records", i).isLessThan(0.9);
        }
        assertThat(live.service().shareOfNext(1_000, live.instance())).as("at most the plan's 60 %").isLessThan(0.7);

        assertThat(RunEnd.isOver(shared.controller().get("/runs/" + run))).as("the run is over").isFalse();
        abort(run);
        live.awaitNaturalWithin(LEASE);
        live.assertServedAllTheWhile();
    }
}
