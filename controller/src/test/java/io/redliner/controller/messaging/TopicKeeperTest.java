// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.fixture.Broker;
import io.redliner.fixture.Fixture;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class TopicKeeperTest {

    @Test
    void what_is_missing_of_its_own_installation_is_created_and_nothing_else() throws Exception {
        try (Broker kafka = Fixture.sharedBroker();
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

    /** What the keeper says when it has asked Kafka; empty when there is no trouble. */
    private static String trouble(Broker kafka, TopicNames names, boolean create) {
        var keeper = new TopicKeeper(new KafkaProperties(kafka.bootstrapServers(), names.prefix(), Map.of()),
                new TopicProperties(create, 1, (short) 1));
        keeper.start();
        try {
            await().until(() -> create
                    ? keeper.trouble().isEmpty()
                    : keeper.trouble().contains("missing"));
            return keeper.trouble();
        } finally {
            keeper.stop();
        }
    }
}
