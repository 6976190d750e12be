// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import io.redliner.contract.TopicNames;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/** One Kafka broker with its own KRaft controller in this process, on the loopback interface. */
public final class EmbeddedKafka implements AutoCloseable {

    private static final Set<EmbeddedKafka> RUNNING = ConcurrentHashMap.newKeySet();

    private final KafkaRaftServer server;

    private final int port;

    private final @Nullable Path temporary;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * A second listener, for clients that may do only what access control lists allow. Clients of the plain listener may do
     * everything.
     *
     * @param port on localhost
     * @param protocol by Kafka's name, such as SASL_SSL
     * @param settings of this listener, by Kafka's names without {@code listener.name.NAME}
     */
    public record Listener(int port, String protocol, Map<String, String> settings) {

        private static final String NAME = "other";

        public Listener {
            settings = Map.copyOf(settings);
        }

        private void addTo(Map<String, String> broker) {
            String address = "," + NAME + "://localhost:" + port;
            broker.merge("listeners", address, String::concat);
            broker.merge("advertised.listeners", address, String::concat);
            broker.merge("listener.security.protocol.map", "," + NAME + ":" + protocol, String::concat);
            settings.forEach((name, value) -> broker.put("listener.name." + NAME + "." + name, value));
            broker.put("authorizer.class.name", StandardAuthorizer.class.getName());
            broker.put("super.users", KafkaPrincipal.ANONYMOUS.toString());
        }
    }

    private EmbeddedKafka(KafkaRaftServer server, int port, @Nullable Path temporary) {
        this.server = server;
        this.port = port;
        this.temporary = temporary;
        RUNNING.add(this);
    }

    /** Starts a broker with all topics, empty, whose data is deleted on {@link #close()}. */
    public static EmbeddedKafka startTemporary() {
        Path folder = TemporaryFolder.create("kafka");
        return start(folder, FreePort.next(), folder, null);
    }

    /** Like {@link #startTemporary()}, with another listener. */
    public static EmbeddedKafka startTemporary(Listener other) {
        Path folder = TemporaryFolder.create("kafka");
        return start(folder, FreePort.next(), folder, other);
    }

    /**
     * Starts a broker with all topics, whose data stays in a folder.
     *
     * @throws UncheckedIOException when the folder cannot be used
     * @throws IllegalStateException when the broker does not start
     */
    public static EmbeddedKafka start(Path folder, int port) {
        return start(folder, port, null, null);
    }

    private static EmbeddedKafka start(Path folder, int port, @Nullable Path temporary, @Nullable Listener other) {
        Path data = folder.toAbsolutePath();
        format(data);
        Map<String, String> settings = settings(data, port, FreePort.next());
        if (other != null) {
            other.addTo(settings);
        }
        // When the disk is full or no file descriptor is left, Kafka would end this process without a message.
        Exit.setExitProcedure(EmbeddedKafka::handleExit);
        Exit.setHaltProcedure(EmbeddedKafka::handleExit);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
        EmbeddedKafka kafka = new EmbeddedKafka(server, port, temporary);
        try {
            server.startup();
            TopicAdmin.create(kafka.bootstrapServers(), TopicNames.DEFAULT);
            return kafka;
        } catch (RuntimeException failure) {
            kafka.close();
            throw failure;
        }
    }

    /**
     * Replaces Kafka's exit of the process: reports the end of all brokers of this process, and throws on the thread that would
     * have ended it.
     */
    private static void handleExit(int status, @Nullable String message) {
        RUNNING.forEach(kafka -> kafka.ended.complete(null));
        throw new IllegalStateException(
                "Kafka gave up with status " + status + (message == null ? "" : ": " + message) + ", see the log");
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
        // There is one broker, so nothing is replicated and nothing is handed over.
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        // Lets the group find a dead analyzer sooner than after 6 s, which is the default minimum.
        settings.put("group.min.session.timeout.ms", "500");
        settings.put("controlled.shutdown.enable", "false");
        // A start in the same folder waits until the last broker's session is over.
        settings.put("broker.session.timeout.ms", "3000");
        settings.put("broker.heartbeat.interval.ms", "500");
        settings.put("auto.create.topics.enable", "false");
        settings.put("log.cleaner.dedupe.buffer.size", "2097152");
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        return settings;
    }

    /**
     * Runs the action when the broker ends, also by {@link #close()}. When any broker of this process gives up, the actions of all
     * of them run, because Kafka does not say which one it was.
     */
    public void onExit(Runnable action) {
        var unused = ended.thenRun(action);
        Thread.ofPlatform().daemon().name("kafka-end").start(() -> {
            server.awaitShutdown();
            ended.complete(null);
        });
    }

    /** Returns the address of the plain listener, for clients. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Returns the prefix of the names of the broker's topics. */
    public String topicPrefix() {
        return TopicNames.DEFAULT_PREFIX;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
        RUNNING.remove(this);
        if (temporary != null) {
            TemporaryFolder.delete(temporary);
        }
    }
}
