// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** How old the observations of windows with traffic were when the broker had them, by the broker's own stamp. */
final class ObservationAges implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(500);

    /** Observations may come without end. */
    private static final int MOST_POLLS = 20;

    private final KafkaConsumer<byte[], byte[]> consumer;

    private final Histogram ages = new Histogram(3);

    private long requests;

    ObservationAges(String bootstrapServers) {
        consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", bootstrapServers), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.DEFAULT.name(Topic.OBSERVATIONS)).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads all that is there; of windows that begin and end within the times, in milliseconds since the epoch. */
    void read(long from, long to) throws InvalidProtocolBufferException {
        for (int round = 0; round < MOST_POLLS; round++) {
            var records = consumer.poll(POLL);
            if (records.isEmpty()) {
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : records) {
                Observation observation = Observation.parseFrom(record.value());
                long end = observation.getWindowStartMs() + observation.getWindowLengthMs();
                if (observation.getCompleted() > 0 && observation.getWindowStartMs() >= from && end <= to) {
                    ages.recordValue(Math.max(0, record.timestamp() - end));
                    requests += observation.getCompleted();
                }
            }
        }
    }

    /** In milliseconds. */
    Histogram ages() {
        return ages;
    }

    /** Requests in these windows. */
    long requests() {
        return requests;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
