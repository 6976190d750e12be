// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import com.google.protobuf.MessageLite;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes runs and leases to Kafka. Each topic has a thread of its own, because the first record, and the first after minutes
 * without one, waits until Kafka has answered where its topic is. The callers keep the leases of many runs alive and must not
 * wait. Failures are reported on the sending threads.
 */
final class KafkaCommandPublisher implements CommandPublisher, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaCommandPublisher.class);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Producer<byte[], byte[]> producer;

    private final TopicNames topics;

    private final long deliveryNanos;

    private final ExecutorService runSender = sender("controller-runs");

    private final ExecutorService leaseSender = sender("controller-leases");

    KafkaCommandPublisher(KafkaProperties kafka, CommandPublisherProperties properties) {
        this.topics = kafka.topics();
        this.deliveryNanos = properties.deliveryTimeout().toNanos();
        int delivery = Math.toIntExact(properties.deliveryTimeout().toMillis());
        this.producer = new KafkaProducer<>(kafka.client(Map.of(
                ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, delivery / 2, ProducerConfig.LINGER_MS_CONFIG, 0,
                ProducerConfig.MAX_BLOCK_MS_CONFIG, delivery, ProducerConfig.CLIENT_ID_CONFIG,
                topics.id("redliner-controller"))), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ExecutorService sender(String name) {
        return Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(name).factory());
    }

    @Override
    public void publishRun(StoredRun run, RunRules rules, RunPhase phase, List<String> instances,
            DeliveryCallback callback) {
        send(runSender, Topic.RUNS, run.state().facts().service(),
                CommandEncoder.runSpec(run.state().facts(), rules, run.plan().hash(), phase, instances), callback);
    }

    @Override
    public void publishLease(RunState state, Lease lease, DeliveryCallback callback) {
        send(leaseSender, Topic.LEASES, state.facts().service(), CommandEncoder.lease(state, lease), callback);
    }

    @Override
    public void publishKillSwitch(KillSwitch killSwitch, DeliveryCallback callback) {
        send(leaseSender, Topic.LEASES, "", killSwitch.topicRecord(), callback);
    }

    private void send(ExecutorService sender, Topic topic, String service, MessageLite message,
            DeliveryCallback callback) {
        ProducerRecord<byte[], byte[]> keyed = new ProducerRecord<>(topics.name(topic),
                service.getBytes(StandardCharsets.UTF_8), message.toByteArray());
        long begin = System.nanoTime();
        try {
            sender.execute(() -> {
                if (System.nanoTime() - begin > deliveryNanos) {
                    callback.failed("the records before it were not delivered in time");
                } else {
                    send(keyed, callback);
                }
            });
        } catch (RejectedExecutionException closed) {
            callback.failed("this controller is stopping");
        }
    }

    private void send(ProducerRecord<byte[], byte[]> message, DeliveryCallback callback) {
        try {
            Future<?> unused = producer.send(message, (metadata, failure) -> {
                if (failure == null) {
                    callback.delivered();
                } else {
                    callback.failed(reason(failure));
                }
            });
        } catch (KafkaException failure) {
            callback.failed(reason(failure));
        }
    }

    private static String reason(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    @Override
    public void close() {
        runSender.shutdown();
        leaseSender.shutdown();
        try {
            boolean sent = leaseSender.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    && runSender.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (!sent) {
                LOG.warn("the last records cannot be sent: Kafka does not answer where their topic is");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        producer.close(CLOSE_TIMEOUT);
    }
}
