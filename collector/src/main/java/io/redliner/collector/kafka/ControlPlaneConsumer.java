// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.consumer.Source;
import io.redliner.contract.consumer.TopicTail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads the runs from the beginning of their topic, and the lease statuses from now on: redirectors repeat them each second. */
final class ControlPlaneConsumer implements TopicTail.Handler, AutoCloseable {

    private static final Duration MAX_FETCH_WAIT = Duration.ofSeconds(2);

    private final String runs;

    private final RunSpecHandler runSpecHandler;

    private final LeaseStatusHandler leaseStatusHandler;

    private final InstantSource clock;

    private final TopicTail topicTail;

    ControlPlaneConsumer(KafkaProperties kafka, RunSpecHandler runSpecHandler, LeaseStatusHandler leaseStatusHandler,
            InstantSource clock, LongSupplier nanoTime) {
        this.runs = kafka.topics().name(Topic.RUNS);
        this.runSpecHandler = runSpecHandler;
        this.leaseStatusHandler = leaseStatusHandler;
        this.clock = clock;
        topicTail = TopicTail.of("redliner-collector-control", kafka, "redliner-collector-control", MAX_FETCH_WAIT,
                List.of(Source.fromBeginning(Topic.RUNS), Source.fromEnd(Topic.LEASE_STATUS)), this,
                clock, nanoTime);
        topicTail.start();
    }

    boolean isAlive() {
        return topicTail.alive();
    }

    /** Returns why the topics are not read; empty when they are read. */
    Optional<String> problem() {
        return topicTail.problem();
    }

    @Override
    public void take(ConsumerRecord<byte[], byte @Nullable []> message) {
        String service = message.key() == null ? "" : new String(message.key(), StandardCharsets.UTF_8);
        if (message.topic().equals(runs)) {
            runSpecHandler.apply(service, message.value(), clock.instant());
        } else {
            leaseStatusHandler.apply(service, message.value(), clock.instant());
        }
    }

    /** Returns 0: the handlers count the records themselves. */
    @Override
    public long count(String topic, String result) {
        return 0;
    }

    @Override
    public void close() {
        topicTail.close();
    }
}
