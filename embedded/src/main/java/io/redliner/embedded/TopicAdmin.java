// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates and deletes RedLiner's topics on a single broker. */
public final class TopicAdmin {

    /** Partitions of each topic: how many analyzers can share the services. */
    private static final int PARTITIONS = 4;

    /** The limit of attempts, each of which takes a round trip of 1 ms or so. */
    private static final int MAX_ATTEMPTS = 20_000;

    private TopicAdmin() {}

    /**
     * Creates the topics of an installation that are missing.
     *
     * @throws IllegalStateException when the broker refuses
     */
    public static void create(String bootstrapServers, TopicNames names) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            create(admin, names);
        }
    }

    /** Creates the missing topics like {@link #create(String, TopicNames)}. */
    public static void create(Admin admin, TopicNames names) {
        try {
            Set<String> present = admin.listTopics().names().get();
            admin.createTopics(Stream.of(Topic.values()).filter(topic -> !present.contains(names.name(topic)))
                    .map(topic -> new NewTopic(names.name(topic), PARTITIONS, (short) 1).configs(topic.settings()))
                    .toList()).all().get();
            awaitKnown(admin, names);
            awaitLed(admin, names);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot create the topics " + names.prefix() + "*", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while creating the topics " + names.prefix() + "*", e);
        }
    }

    /** Waits until the broker lists the topics: the Kafka controller answers before the broker has read of them. */
    private static void awaitKnown(Admin admin, TopicNames names) throws ExecutionException, InterruptedException {
        List<String> wanted = Arrays.stream(Topic.values()).map(names::name).toList();
        for (int questions = 0; !admin.listTopics().names().get().containsAll(wanted); questions++) {
            if (questions == MAX_ATTEMPTS) {
                throw new IllegalStateException("The broker does not list the topics that were created: " + wanted);
            }
        }
    }

    /**
     * Waits until each partition has a leader, which takes a moment. Without a leader the first batch of an idempotent producer
     * would be refused and the next one taken, and the first would be out of order from then on.
     */
    private static void awaitLed(Admin admin, TopicNames names) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> all = Arrays.stream(Topic.values()).map(names::name)
                .flatMap(name -> IntStream.range(0, PARTITIONS).mapToObj(number -> new TopicPartition(name, number)))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        // The client asks again while a partition has no leader.
        admin.listOffsets(all).all().get();
    }

    /**
     * Deletes all topics with the prefix of an installation, changelogs too. A topic that is gone already is no error: a broker
     * lists a topic for a moment after it was deleted.
     *
     * @throws IllegalStateException when the broker refuses
     */
    public static void delete(Admin admin, TopicNames names) {
        try {
            List<String> found = admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith(names.prefix())).toList();
            for (KafkaFuture<Void> deleted : admin.deleteTopics(found).topicNameValues().values()) {
                awaitGone(deleted);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot delete the topics " + names.prefix() + "*", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while deleting the topics " + names.prefix() + "*", e);
        }
    }

    private static void awaitGone(KafkaFuture<Void> deleted) throws ExecutionException, InterruptedException {
        try {
            deleted.get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw e;
            }
        }
    }
}
