// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import io.redliner.contract.Topic;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/** One Kafka broker with its own KRaft controller in this process, on the loopback interface. */
public final class EmbeddedKafka implements AutoCloseable {

    /** Partitions of each topic: how many analyzers can share the services. */
    private static final int PARTITIONS = 4;

    private final KafkaRaftServer server;

    private final int port;

    private final @Nullable Path temporary;

    private EmbeddedKafka(KafkaRaftServer server, int port, @Nullable Path temporary) {
        this.server = server;
        this.port = port;
        this.temporary = temporary;
    }

    /** Starts a broker with all topics, empty, whose data is deleted on {@link #close()}. */
    public static EmbeddedKafka startTemporary() {
        Path folder = TemporaryFolder.create("kafka");
        return start(folder, FreePort.next(), folder);
    }

    /**
     * Starts a broker with all topics, whose data stays in a folder.
     *
     * @throws UncheckedIOException when the folder cannot be used
     * @throws IllegalStateException when the broker does not start
     */
    public static EmbeddedKafka start(Path folder, int port) {
        return start(folder, port, null);
    }

    private static EmbeddedKafka start(Path folder, int port, @Nullable Path temporary) {
        Path data = folder.toAbsolutePath();
        format(data);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings(data, port, FreePort.next()), false),
                Time.SYSTEM);
        server.startup();
        EmbeddedKafka kafka = new EmbeddedKafka(server, port, temporary);
        kafka.createTopics();
        return kafka;
    }

    private static void format(Path data) {
        if (Files.exists(data.resolve("meta.properties"))) {
            return;
        }
        try (PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            Files.createDirectories(data);
            new Formatter().setPrintStream(silent).setNodeId(1).setClusterId(Uuid.randomUuid().toString())
                    .setDirectories(List.of(data.toString())).setMetadataLogDirectory(data.toString())
                    .setReleaseVersion(MetadataVersion.latestProduction()).setControllerListenerName("CONTROLLER")
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot prepare the folder " + data + " for Kafka", e);
        }
    }

    private static Map<String, String> settings(Path data, int port, int controllerPort) {
        Map<String, String> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("log.dirs", data.toString());
        // One broker: nothing to replicate to, and nobody to hand over to.
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        // So that an analyzer may be found dead sooner than the 6 s that are the least otherwise.
        settings.put("group.min.session.timeout.ms", "500");
        settings.put("controlled.shutdown.enable", "false");
        settings.put("auto.create.topics.enable", "false");
        settings.put("log.cleaner.dedupe.buffer.size", "2097152");
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        return settings;
    }

    private void createTopics() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
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

    /** Address for clients. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
        if (temporary != null) {
            TemporaryFolder.delete(temporary);
        }
    }
}
