// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {

    @TempDir
    Path folder;

    @Test
    void a_start_that_failed_leaves_nothing_running_so_that_the_next_one_works() throws IOException {
        int port = FreePort.next();
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(taken.isBound()).isTrue();
            assertThatThrownBy(() -> EmbeddedKafka.start(folder, port)).isInstanceOf(RuntimeException.class);
        }
        // A process that another test starts may have inherited the socket for some milliseconds.
        await().until(() -> FreePort.take(port));

        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, port);
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            assertThat(admin.describeCluster().nodes()).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void has_all_topics_and_those_of_another_installation_beside_them_until_they_are_deleted() throws Exception {
        var shop = new TopicNames("shop.");
        try (EmbeddedKafka kafka = EmbeddedKafka.startTemporary();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            List<String> names = List.of(Topic.values()).stream().map(TopicNames.DEFAULT::name).toList();
            assertThat(admin.describeTopics(names).allTopicNames().get().values())
                    .hasSize(Topic.values().length)
                    .allSatisfy(topic -> assertThat(topic.partitions()).hasSize(4));

            TopicAdmin.create(admin, shop);
            TopicAdmin.create(admin, shop);

            assertThat(admin.describeTopics(List.of(Topic.values()).stream().map(shop::name).toList()).allTopicNames()
                    .get().values()).allSatisfy(topic -> assertThat(topic.partitions()).hasSize(4));

            // One finds what another has deleted since it asked what there is.
            CompletableFuture
                    .allOf(Stream.generate(() -> CompletableFuture.runAsync(() -> TopicAdmin.delete(admin, shop)))
                            .limit(8).toArray(CompletableFuture[]::new))
                    .get();

            await().untilAsserted(() -> assertThat(admin.listTopics().names().get())
                    .containsExactlyInAnyOrderElementsOf(names));
        }
    }

    @Test
    @Tag("fault")
    void keeps_its_records_over_a_restart_in_the_same_folder_which_does_not_wait_for_kafkas_usual_session()
            throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, FreePort.next());
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()), new StringSerializer(),
                        new StringSerializer())) {
            producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASES), 0, "service", "lease")).get();
        }

        long began = System.nanoTime();
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, FreePort.next());
                KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
                        new StringDeserializer(), new StringDeserializer())) {
            // The broker that was ended counts as alive for nine seconds by default.
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
            consumer.assign(List.of(new TopicPartition(TopicNames.DEFAULT.name(Topic.LEASES), 0)));

            assertThat(consumer.poll(Duration.ofSeconds(20))).extracting(ConsumerRecord::value)
                    .containsExactly("lease");
        }
    }

    @Test
    void one_that_gives_up_ends_not_the_process_and_that_is_said() {
        var said = new CompletableFuture<Void>();
        try (EmbeddedKafka kafka = EmbeddedKafka.startTemporary()) {
            kafka.onExit(() -> said.complete(null));

            // As Kafka's fault handler and its log manager do.
            assertThatThrownBy(() -> Exit.halt(1, "no space left on device"))
                    .hasMessageContaining("no space left on device");

            assertThat(said).succeedsWithin(Duration.ofSeconds(1));
        }
    }
}
