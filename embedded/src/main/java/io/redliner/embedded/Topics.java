// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import io.redliner.contract.Topic;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** RedLiner's topics on a single broker. */
public final class Topics {

    /** Partitions of each topic: how many analyzers can share the services. */
    private static final int PARTITIONS = 4;

    private Topics() {}

    /**
     * Creates those that are missing.
     *
     * @throws IllegalStateException when the broker refuses
     */
    public static void create(String bootstrapServers) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Set<String> present = admin.listTopics().names().get();
            admin.createTopics(Stream.of(Topic.values()).filter(topic -> !present.contains(topic.topicName()))
                    .map(topic -> new NewTopic(topic.topicName(), PARTITIONS, (short) 1).configs(topic.settings()))
                    .toList()).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot create the topics", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while creating the topics", e);
        }
    }
}
