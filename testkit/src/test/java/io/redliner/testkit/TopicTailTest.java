// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.consumer.SkippedRecordException;
import io.redliner.contract.consumer.Source;
import io.redliner.contract.consumer.TopicTail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Topics of a real Kafka that come, grow and go while they are read. */
class TopicTailTest implements TopicTail.Handler {

    private static final Map<String, String> QUICK = Map.of("metadata.max.age.ms", "200");

    private final TestBroker kafka = TestKit.sharedBroker();

    private final TopicNames names = new TopicNames(kafka.topicPrefix() + "tail.");

    private final String topic = names.name(Topic.RUNS);

    private final Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));

    private final KafkaProducer<String, String> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "metadata.max.age.ms", "200"), new StringSerializer(),
            new StringSerializer());

    private final List<String> taken = new CopyOnWriteArrayList<>();

    private final Map<String, Long> counts = new ConcurrentHashMap<>();

    /** Values that fail when they come for the first time. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    private volatile Set<TopicPartition> assigned = Set.of();

    private final TopicTail tail = TopicTail.of("tail",
            new KafkaProperties(kafka.bootstrapServers(), names.prefix(), QUICK),
            "tail", Duration.ofMillis(100), List.of(Source.fromBeginning(Topic.RUNS)), this, InstantSource.system(),
            System::nanoTime);

    @AfterEach
    void close() {
        tail.close();
        producer.close();
        admin.close();
        kafka.close();
    }

    @Override
    public void take(ConsumerRecord<byte[], byte @Nullable []> message) throws SkippedRecordException {
        byte[] value = message.value();
        String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            throw new SkippedRecordException("empty", "has no value");
        }
        if (text.equals("deadly")) {
            throw new AssertionError("out of everything");
        }
        if (failing.remove(text)) {
            throw new IllegalStateException("the database is away");
        }
        taken.add(text);
    }

    @Override
    public void polled(Consumer<byte[], byte[]> consumer) {
        assigned = Set.copyOf(consumer.assignment());
    }

    @Override
    public long count(String ofTopic, String result) {
        return counts.merge(result, 1L, Long::sum);
    }

    private void create() throws Exception {
        create(1);
    }

    private void create(int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }

    private void send(int partition, String value) throws Exception {
        producer.send(new ProducerRecord<>(topic, partition, "key", value)).get();
    }

    @Test
    void a_topic_that_comes_late_is_read_and_so_are_partitions_that_it_gets() throws Exception {
        tail.start();
        await().until(() -> tail.problem().orElse("").equals("there is no topic " + topic));
        assertThat(tail.reading()).isFalse();

        create();
        send(0, "first");
        await().until(() -> taken.contains("first"));
        assertThat(tail.problem()).isEmpty();
        assertThat(tail.reading()).isTrue();

        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
        await().until(() -> producer.partitionsFor(topic).size() == 2);
        send(1, "second");
        await().until(() -> taken.contains("second"));
    }

    @Test
    void what_fails_comes_again_and_what_is_skipped_is_counted_and_does_not() throws Exception {
        create();
        failing.add("late");
        tail.start();

        send(0, "");
        send(0, "late");
        send(0, "last");

        await().until(() -> taken.contains("last"));
        assertThat(taken).containsExactly("late", "last");
        assertThat(counts.get("taken")).isEqualTo(2);
        assertThat(counts.get("empty")).isPositive();
    }

    @Test
    void a_topic_that_was_deleted_and_created_again_is_read_from_its_beginning() throws Exception {
        create();
        tail.start();
        send(0, "before");
        await().until(() -> taken.contains("before"));

        admin.deleteTopics(List.of(topic)).all().get();
        await().until(() -> tail.problem().isPresent());
        create();
        await().ignoreExceptions().until(() -> {
            send(0, "after");
            return true;
        });

        await().until(() -> taken.contains("after"));
    }

    @Test
    void a_topic_that_comes_back_with_fewer_partitions_at_once_is_read_as_it_is() throws Exception {
        create(2);
        send(1, "before");
        tail.start();
        await().until(() -> taken.contains("before"));

        admin.deleteTopics(List.of(topic)).all().get();
        await().ignoreExceptions().until(() -> {
            create();
            return true;
        });
        await().ignoreExceptions().until(() -> {
            send(0, "after");
            return true;
        });

        await().until(() -> taken.contains("after"));
        await().until(() -> assigned.equals(Set.of(new TopicPartition(topic, 0))));
        assertThat(tail.reading()).isTrue();
    }

    @Test
    void a_tail_that_died_says_of_what() throws Exception {
        create();
        tail.start();

        send(0, "deadly");

        await().until(() -> !tail.alive());
        assertThat(tail.failure()).contains("out of everything");
        assertThat(tail.problem()).hasValueSatisfying(trouble -> assertThat(trouble).contains("out of everything"));
        assertThat(tail.reading()).isFalse();
    }
}
