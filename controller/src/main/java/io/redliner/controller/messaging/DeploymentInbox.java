// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.messaging;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.Topic;
import io.redliner.controller.messaging.DeploymentListener.RejectedDeploymentException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Reads deployments, shared among all controllers. What was handled is committed after it was, so that nothing is lost and
 * some may come twice. What cannot be understood is counted and skipped; when it cannot be stored, or Kafka is away, the
 * inbox tries again.
 */
final class DeploymentInbox implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(DeploymentInbox.class);

    private static final String GROUP = "redliner-controller-deployments";

    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaProperties kafka;

    private final MeterRegistry meters;

    private final DeploymentListener listener;

    private final Thread worker;

    private final CountDownLatch closedSignal = new CountDownLatch(1);

    private volatile boolean closed;

    private volatile @Nullable Consumer<byte[], byte[]> current;

    DeploymentInbox(KafkaProperties kafka, MeterRegistry meters, DeploymentListener listener) {
        this.kafka = kafka;
        this.meters = meters;
        this.listener = listener;
        this.worker = Thread.ofPlatform().name("controller-deployments").daemon().unstarted(this::work);
    }

    @Override
    public void start() {
        worker.start();
    }

    @Override
    public void stop() {
        closed = true;
        closedSignal.countDown();
        Consumer<byte[], byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            worker.join(Duration.ofSeconds(5));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return worker.isAlive();
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    private void work() {
        while (!closed) {
            try (Consumer<byte[], byte[]> consumer = consumer()) {
                current = consumer;
                consumer.subscribe(List.of(Topic.DEPLOYMENTS.topicName()));
                while (!closed) {
                    ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                    records.forEach(this::take);
                    if (!records.isEmpty()) {
                        consumer.commitSync();
                    }
                }
            } catch (WakeupException | InterruptException stopping) {
                LOG.debug("the inbox of deployments was woken up", stopping);
            } catch (RuntimeException failure) {
                LOG.warn("taking deployments failed and starts again: {}", failure.toString());
                pause();
            }
        }
    }

    private void pause() {
        try {
            boolean closing = closedSignal.await(1, TimeUnit.SECONDS);
            LOG.debug("tries again: {}", !closing);
        } catch (InterruptedException interrupted) {
            LOG.debug("the inbox of deployments is being closed", interrupted);
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        GROUP, ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest", ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 50,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        4000, ConsumerConfig.CLIENT_ID_CONFIG, GROUP),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void take(ConsumerRecord<byte[], byte[]> consumed) {
        String position = "kafka-" + consumed.partition() + "-" + consumed.offset() + "-" + consumed.timestamp();
        try {
            listener.deployment(text(consumed.value()), Instant.ofEpochMilli(consumed.timestamp()), position);
            count("taken");
        } catch (RejectedDeploymentException rejected) {
            count(rejected.result());
            LOG.warn("skipped deployment {}: {}", position, rejected.getMessage());
        }
    }

    private static String text(byte @Nullable [] value) throws RejectedDeploymentException {
        if (value == null) {
            throw new RejectedDeploymentException("empty", "has no value");
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException malformed) {
            throw new RejectedDeploymentException("poisoned", "is not UTF-8");
        }
    }

    private void count(String result) {
        meters.counter("redliner.controller.records", "topic", Topic.DEPLOYMENTS.topicName(), "result", result)
                .increment();
    }
}
