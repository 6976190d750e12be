// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.consumer;

import io.redliner.contract.TopicNames;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All partitions of some topics. */
final class AllPartitions implements TopicTail.Placement {

    private static final Logger LOG = LoggerFactory.getLogger(AllPartitions.class);

    private final TopicNames topics;

    private final List<Source> sources;

    private final InstantSource clock;

    /** Next offset of each partition of a topic that is read from its beginning. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    AllPartitions(TopicNames topics, List<Source> sources, InstantSource clock) {
        this.topics = topics;
        this.sources = List.copyOf(sources);
        this.clock = clock;
    }

    @Override
    public void place(Consumer<byte[], byte[]> consumer) {
        Map<Source, List<TopicPartition>> partitions = new HashMap<>();
        sources.forEach(source -> partitions.put(source, partitions(consumer, source)));
        consumer.assign(partitions.values().stream().flatMap(List::stream).toList());
        partitions.forEach((source, ofSource) -> begin(consumer, source, ofSource));
        consumer.assignment().forEach(consumer::position);
    }

    private void begin(Consumer<byte[], byte[]> consumer, Source source, List<TopicPartition> partitions) {
        switch (source.begin()) {
            case BEGINNING -> partitions
                    .forEach(partition -> consumer.seek(partition, positions.getOrDefault(partition, 0L)));
            case END -> consumer.seekToEnd(partitions);
            case BEFORE -> {
                consumer.seekToEnd(partitions);
                long from = clock.instant().minus(source.back()).toEpochMilli();
                Map<TopicPartition, Long> times = new HashMap<>();
                partitions.forEach(partition -> times.put(partition, from));
                consumer.offsetsForTimes(times).forEach((partition, found) -> seek(consumer, partition, found));
            }
        }
    }

    private static void seek(Consumer<byte[], byte[]> consumer, TopicPartition partition,
            @Nullable OffsetAndTimestamp found) {
        if (found != null) {
            consumer.seek(partition, found.offset());
        }
    }

    private List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, Source source) {
        String name = topics.name(source.topic());
        List<PartitionInfo> partitions = consumer.partitionsFor(name);
        if (partitions == null || partitions.isEmpty()) {
            // A topic that is created again is read from its beginning.
            positions.keySet().removeIf(partition -> partition.topic().equals(name));
            throw new MissingTopicException("there is no topic " + name);
        }
        return partitions.stream().map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
    }

    @Override
    public void polled(Consumer<byte[], byte[]> consumer, boolean anyRecords) {
        List<TopicPartition> all = new ArrayList<>();
        for (Source source : sources) {
            List<TopicPartition> partitions = partitions(consumer, source);
            all.addAll(partitions);
            if (source.begin() == Source.Begin.BEGINNING) {
                partitions.stream().filter(consumer.assignment()::contains)
                        .forEach(partition -> positions.put(partition, consumer.position(partition)));
            }
        }
        Set<TopicPartition> added = new HashSet<>(all);
        added.removeAll(consumer.assignment());
        if (!added.isEmpty() || all.size() < consumer.assignment().size()) {
            LOG.info("reads {} now", all);
            consumer.assign(all);
            // Of no partitions, Kafka's client would seek all.
            if (!added.isEmpty()) {
                consumer.seekToBeginning(added);
            }
        }
    }

    static final class MissingTopicException extends KafkaException {

        private static final long serialVersionUID = 1;

        MissingTopicException(String message) {
            super(message);
        }
    }
}
