// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static io.redliner.analyzer.kafka.Messages.PEER;
import static io.redliner.analyzer.kafka.Messages.SUT;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Services whose windows are reported as time passes, and what the analyzers say of them. */
final class LiveFleet implements AutoCloseable {

    static final Duration WINDOW = Duration.ofMillis(200);

    /** A verdict as it was read. */
    record ReceivedVerdict(Verdict verdict, long receivedAtMillis) {}

    private final InstantSource clock;

    private final KafkaProducer<String, byte[]> producer;

    private final KafkaConsumer<String, byte[]> consumer;

    private final List<String> services;

    /** Runs and observations, in the order in which they were sent. */
    final List<Call> sent = new ArrayList<>();

    final List<ReceivedVerdict> received = new ArrayList<>();

    private final int partitions;

    private long sequence;

    private long nextStart;

    LiveFleet(String bootstrapServers, int services, InstantSource clock) {
        this.clock = clock;
        this.services = IntStream.range(0, services).mapToObj(i -> "service-" + i).toList();
        producer = new KafkaProducer<>(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new StringSerializer(), new ByteArraySerializer());
        consumer = new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new StringDeserializer(), new ByteArrayDeserializer());
        var verdicts = consumer.partitionsFor(TopicNames.DEFAULT.name(Topic.VERDICTS)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        partitions = verdicts.size();
        consumer.assign(verdicts);
        consumer.seekToBeginning(verdicts);
        verdicts.forEach(consumer::position);
        nextStart = clock.millis() / WINDOW.toMillis() * WINDOW.toMillis();
    }

    List<String> services() {
        return services;
    }

    int partitions() {
        return partitions;
    }

    void announce(RunPhase phase, long epoch) {
        services.forEach(service -> send(Topic.RUNS, service, run(service, phase, epoch)));
        producer.flush();
    }

    /** Whether what was said last of each service is fresh and healthy. */
    boolean warm() {
        return services.stream().allMatch(service -> received.stream().map(ReceivedVerdict::verdict)
                .filter(verdict -> verdict.getService().equals(service)).reduce((earlier, later) -> later)
                .filter(verdict -> verdict.getJudgement() == Judgement.JUDGEMENT_HOLDS
                        && verdict.getEmittedAtMs() - verdict.getWindowStartMs() < 1_000)
                .isPresent());
    }

    static byte[] run(String service, RunPhase phase, long epoch) {
        return Messages.run(phase, epoch).setService(service).setWindowLengthMs(WINDOW.toMillis()).build()
                .toByteArray();
    }

    /** Reports each window that has passed, and reads what was said. */
    void live() throws Exception {
        while (clock.millis() >= nextStart + WINDOW.toMillis()) {
            sequence += 2;
            for (var service : services) {
                observe(service, SUT, sequence - 1);
                observe(service, PEER, sequence);
            }
            nextStart += WINDOW.toMillis();
        }
        for (var record : consumer.poll(Duration.ofMillis(5))) {
            received.add(new ReceivedVerdict(Verdict.parseFrom(record.value()), clock.millis()));
        }
    }

    private void observe(String service, String instance, long number) {
        long window = nextStart / WINDOW.toMillis();
        long millis = 5L + Math.floorMod(service.hashCode() + 31L * window, 20);
        byte[] value = Messages.observation(instance, number, nextStart, 100, millis).setService(service)
                .setWindowLengthMs(WINDOW.toMillis()).build().toByteArray();
        send(Topic.OBSERVATIONS, service, value);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What does not arrive is a window that is not whole.
    private void send(Topic topic, String service, byte[] value) {
        sent.add(new Call(topic, service, value, clock.instant()));
        producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(topic), service, value));
    }

    @Override
    public void close() {
        consumer.close();
        producer.close();
    }
}
