// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import com.google.protobuf.MessageLite;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.safety.KillSwitch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes runs and leases to Kafka. A record that is not delivered in time is reported on the producer's thread. */
final class KafkaCommandPublisher implements CommandPublisher, AutoCloseable {

    private final Producer<byte[], byte[]> producer;

    private final TopicNames topics;

    KafkaCommandPublisher(KafkaProperties kafka, CommandPublisherProperties properties) {
        this.topics = kafka.topics();
        int delivery = Math.toIntExact(properties.deliveryTimeout().toMillis());
        this.producer = new KafkaProducer<>(kafka.client(Map.of(
                ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, delivery / 2, ProducerConfig.LINGER_MS_CONFIG, 0,
                // The worker must not wait long: it keeps the leases of many runs alive.
                ProducerConfig.MAX_BLOCK_MS_CONFIG, 500, ProducerConfig.CLIENT_ID_CONFIG,
                topics.id("redliner-controller"))),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void publishRun(StoredRun run, RunRules rules, RunPhase phase, List<String> instances,
            DeliveryCallback callback) {
        send(Topic.RUNS, run.state().facts().service(),
                CommandEncoder.runSpec(run.state().facts(), rules, run.planHash(), phase, instances), callback);
    }

    @Override
    public void publishLease(RunState state, Lease lease, DeliveryCallback callback) {
        send(Topic.LEASES, state.facts().service(), CommandEncoder.lease(state, lease), callback);
    }

    @Override
    public void publishKillSwitch(KillSwitch killSwitch, DeliveryCallback callback) {
        send(Topic.LEASES, "", CommandEncoder.killSwitch(killSwitch), callback);
    }

    private void send(Topic topic, String service, MessageLite message, DeliveryCallback callback) {
        byte[] key = service.getBytes(StandardCharsets.UTF_8);
        try {
            Future<?> unusedAsTheCallbackTells = producer
                    .send(new ProducerRecord<>(topics.name(topic), key, message.toByteArray()), (metadata, failure) -> {
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
        producer.close(Duration.ofSeconds(1));
    }
}
