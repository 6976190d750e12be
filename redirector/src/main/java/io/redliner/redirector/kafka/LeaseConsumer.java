// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.consumer.SkippedRecordException;
import io.redliner.contract.consumer.Source;
import io.redliner.contract.consumer.TopicTail;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads all leases from the beginning of the compacted topic. Each redirector must know every service's highest epoch, so there is
 * no consumer group and nothing is committed. After an error it resumes at its last position.
 */
final class LeaseConsumer implements TopicTail.Handler, AutoCloseable {

    /** Age up to which unread records do not matter: well below a lease's time to live, so that a redirector misses no renewal. */
    private static final Duration RECENT = Duration.ofSeconds(1);

    private static final Duration MAX_FETCH_WAIT = Duration.ofMillis(100);

    private final LeaseListener listener;

    private final SteadyClock clock;

    private final Counter unreadable;

    private final TopicTail topicTail;

    /** End offsets of the partitions at the last request; empty when they have to be requested. */
    private Map<TopicPartition, Long> ends = Map.of();

    private Instant requestedAt = Instant.MIN;

    private boolean caughtUp;

    LeaseConsumer(KafkaProperties kafka, LeaseListener listener, MeterRegistry registry, SteadyClock clock) {
        this.listener = listener;
        this.clock = clock;
        this.unreadable = Counter.builder("redliner.leases")
                .description("Leases received, by what became of them")
                .tag("result", "rejected")
                .tag("reason", "unreadable")
                .register(registry);
        this.topicTail = TopicTail.of("lease-consumer", kafka, "redliner-redirector-leases", MAX_FETCH_WAIT,
                List.of(Source.fromBeginning(Topic.LEASES)), this, clock,
                () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos());
    }

    void start() {
        topicTail.start();
    }

    /** Returns why no leases are read; empty when they are read. */
    Optional<String> problem() {
        return topicTail.problem();
    }

    @Override
    public void take(ConsumerRecord<byte[], byte @Nullable []> message) throws SkippedRecordException {
        try {
            LeaseDecoder.deliver(message.key(), message.value(), listener, clock.lead(), clock.instant(), !caughtUp);
        } catch (InvalidProtocolBufferException | RuntimeException poisoned) {
            // A malformed record is skipped, and the others are read.
            throw new SkippedRecordException("unreadable", poisoned.toString());
        }
    }

    @Override
    public long count(String topic, String result) {
        if (result.equals("unreadable")) {
            unreadable.increment();
        }
        return (long) unreadable.count();
    }

    /** Notifies the listener once, when all records are read that existed a second ago. */
    @Override
    public void polled(Consumer<byte[], byte[]> consumer) {
        if (caughtUp) {
            return;
        }
        Instant now = clock.instant();
        boolean known = ends.keySet().equals(consumer.assignment());
        if (known && ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            return;
        }
        if (known && Duration.between(requestedAt, now).compareTo(RECENT) <= 0) {
            caughtUp = true;
            listener.caughtUp();
        } else {
            // Reading took so long, on a busy machine, that newer renewals are still unread.
            requestedAt = now;
            ends = consumer.endOffsets(consumer.assignment());
        }
    }

    @Override
    public void close() {
        topicTail.close();
    }
}
