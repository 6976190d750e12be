// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A live run, as the controller would announce it. */
public final class SentRun {

    private SentRun() {}

    /** Announces one on a service, and waits until the broker has it. */
    public static void send(TestBroker kafka, String service, int windowMillis) throws Exception {
        RunSpec run = RunSpec.newBuilder().setService(service).setRunId("run-1").setEpoch(1)
                .setPhase(RunPhase.RUN_PHASE_RAMPING).setWindowLengthMs(windowMillis).addOverdueLimitsMicros(200_000)
                .build();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(new TopicNames(kafka.topicPrefix()).name(Topic.RUNS),
                    service.getBytes(StandardCharsets.UTF_8), run.toByteArray())).get();
        }
    }
}
