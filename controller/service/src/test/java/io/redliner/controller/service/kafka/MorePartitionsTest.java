// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Topics of a real Kafka that get partitions while they are read. */
class MorePartitionsTest {

    private final List<String> services = new CopyOnWriteArrayList<>();

    private final VerdictSource.Listener listener = new VerdictSource.Listener() {

        @Override
        public void verdict(String service, WindowVerdict verdict) {
            services.add(service);
        }

        @Override
        public void redirectorsReported(String service, List<String> redirectors) {}

        @Override
        public void status(ServiceReport report, @Nullable SenderProof proof) {
            services.add(report.service());
        }
    };

    @Test
    void what_is_sent_to_a_partition_that_was_added_is_read_from_its_beginning() throws Exception {
        try (TestBroker kafka = TestKit.sharedBroker();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(Map.of("bootstrap.servers",
                        kafka.bootstrapServers(), "metadata.max.age.ms", "300"), new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            var names = new TopicNames(kafka.topicPrefix() + "grown.");
            String topic = names.name(Topic.LEASE_STATUS);
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1),
                    new NewTopic(names.name(Topic.VERDICTS), 1, (short) 1))).all().get();
            var source = new KafkaVerdictSource(new KafkaProperties(kafka.bootstrapServers(), names.prefix(),
                    Map.of("metadata.max.age.ms", "300")), InstantSource.system(), new SimpleMeterRegistry(), listener);
            source.start();
            try {
                await().until(source::reading);
                admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
                await().until(() -> producer.partitionsFor(topic).size() == 2);
                producer.send(new ProducerRecord<>(topic, 1, "shop".getBytes(StandardCharsets.UTF_8),
                        LeaseStatus.newBuilder().setService("shop").setRedirector("r1").build().toByteArray())).get();

                await().until(() -> services.contains("shop"));
            } finally {
                source.close();
            }
        }
    }
}
