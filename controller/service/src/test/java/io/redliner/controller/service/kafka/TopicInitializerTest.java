// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

class TopicInitializerTest {

    @Test
    void what_is_missing_of_its_own_installation_is_created_and_nothing_else() throws Exception {
        try (TestBroker kafka = TestKit.sharedBroker();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var names = new TopicNames(kafka.topicPrefix() + "shop.");
            List<String> wanted = Arrays.stream(Topic.values()).map(names::name).toList();

            assertThat(trouble(kafka, names, false)).contains("topics are missing", names.name(Topic.LEASES));
            assertThat(admin.listTopics().names().get()).doesNotContainAnyElementsOf(wanted);
            assertThat(trouble(kafka, names, true)).isEmpty();

            assertThat(admin.listTopics().names().get().stream().filter(name -> name.startsWith(names.prefix())))
                    .containsExactlyInAnyOrderElementsOf(wanted);
        }
    }

    @Test
    void topics_of_an_earlier_version_get_the_settings_that_this_one_needs() throws Exception {
        try (TestBroker kafka = TestKit.sharedBroker();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var names = new TopicNames(kafka.topicPrefix() + "old.");
            admin.createTopics(Arrays.stream(Topic.values()).map(topic -> new NewTopic(names.name(topic), 1, (short) 1)
                    .configs(Map.of("cleanup.policy", topic.compacted() ? "compact" : "delete"))).toList()).all().get();

            assertThat(trouble(kafka, names, true)).isEmpty();

            var leases = new ConfigResource(ConfigResource.Type.TOPIC, names.name(Topic.LEASES));
            // A broker may show the settings a moment after it has taken them.
            await().untilAsserted(() -> assertThat(settings(admin, leases))
                    .containsAllEntriesOf(Topic.LEASES.settings()));
        }
    }

    @Test
    void a_topic_that_was_deleted_is_created_again_with_as_many_partitions_as_the_others() throws Exception {
        try (TestBroker kafka = TestKit.sharedBroker();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var names = new TopicNames(kafka.topicPrefix() + "deleted.");
            String leases = names.name(Topic.LEASES);
            trouble(kafka, names, true);
            // Another number than the setting is: of an installation that has grown.
            Arrays.stream(Topic.values()).map(names::name).forEach(topic -> admin.createPartitions(Map.of(topic,
                    NewPartitions.increaseTo(3))));
            var initializer = initializer(kafka, names, true);
            initializer.start();
            try {
                await().until(() -> initializer.problem().isEmpty());

                admin.deleteTopics(List.of(leases)).all().get();

                await().ignoreExceptions().until(() -> requireNonNull(admin.describeTopics(List.of(leases))
                        .topicNameValues().get(leases)).get().partitions().size(), size -> size == 3);
                await().until(() -> initializer.problem().isEmpty());
            } finally {
                initializer.stop();
            }
        }
    }

    private static Map<String, String> settings(Admin admin, ConfigResource topic) throws Exception {
        return requireNonNull(admin.describeConfigs(List.of(topic)).values().get(topic)).get().entries().stream()
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    /** The initializer's trouble after it has asked Kafka; empty when there is none. */
    private static String trouble(TestBroker kafka, TopicNames names, boolean create) {
        var initializer = initializer(kafka, names, create);
        initializer.start();
        try {
            await().until(() -> create
                    ? initializer.problem().isEmpty()
                    : initializer.problem().contains("missing"));
            return initializer.problem();
        } finally {
            initializer.stop();
        }
    }

    private static TopicInitializer initializer(TestBroker kafka, TopicNames names, boolean create) {
        return new TopicInitializer(new KafkaProperties(kafka.bootstrapServers(), names.prefix(), Map.of()),
                new TopicProperties(create, 1, (short) 1), InstantSource.system());
    }
}
