// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.contract.TopicNames;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import io.redliner.embedded.TopicAdmin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * Starts Kafka, PostgreSQL and Envoy as containers of this machine's Docker engine. The containers use the host's network, so that
 * processes and proxies reach each other on the loopback interface. The images are set by {@code redliner.testkit.kafka},
 * {@code .postgres}, {@code .envoy}.
 */
final class TestcontainersProvider implements InfrastructureProvider {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    @Override
    public TestBroker broker() {
        Path folder = TemporaryFolder.create("kafka");
        return broker(folder, FreePort.next(), () -> TemporaryFolder.delete(folder));
    }

    @Override
    public TestBroker broker(Path folder, int port) {
        return broker(folder, port, () -> {});
    }

    private static TestBroker broker(Path folder, int port, Runnable afterwards) {
        String address = "127.0.0.1:" + port;
        int controllerPort = FreePort.next();
        Container kafka = new Container("kafka", "apache/kafka:4.2.1").asUser("root")
                .mounting(folder, "/var/lib/kafka/data")
                .withVariables(Map.ofEntries(
                        Map.entry("KAFKA_NODE_ID", "1"),
                        Map.entry("KAFKA_PROCESS_ROLES", "broker,controller"),
                        Map.entry("KAFKA_LISTENERS",
                                "PLAINTEXT://" + address + ",CONTROLLER://127.0.0.1:" + controllerPort),
                        Map.entry("KAFKA_ADVERTISED_LISTENERS", "PLAINTEXT://" + address),
                        Map.entry("KAFKA_CONTROLLER_LISTENER_NAMES", "CONTROLLER"),
                        Map.entry("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                        Map.entry("KAFKA_CONTROLLER_QUORUM_VOTERS", "1@127.0.0.1:" + controllerPort),
                        Map.entry("KAFKA_LOG_DIRS", "/var/lib/kafka/data"),
                        Map.entry("KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", "1"),
                        Map.entry("KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4"),
                        Map.entry("KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR", "1"),
                        Map.entry("KAFKA_TRANSACTION_STATE_LOG_MIN_ISR", "1"),
                        Map.entry("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0"),
                        Map.entry("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "500"),
                        Map.entry("KAFKA_CONTROLLED_SHUTDOWN_ENABLE", "false"),
                        Map.entry("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false"),
                        Map.entry("KAFKA_HEAP_OPTS", "-Xmx512m")));
        kafka.start();
        kafka.await(() -> listens(port), START_TIMEOUT);
        TopicAdmin.create(address, TopicNames.DEFAULT);
        return new TestBroker() {

            @Override
            public String bootstrapServers() {
                return address;
            }

            @Override
            public String topicPrefix() {
                return TopicNames.DEFAULT_PREFIX;
            }

            @Override
            public void close() {
                kafka.close();
                afterwards.run();
            }
        };
    }

    @Override
    public TestDatabase database() {
        Path folder = TemporaryFolder.create("postgresql");
        return database(folder, FreePort.next(), () -> TemporaryFolder.delete(folder));
    }

    @Override
    public TestDatabase database(Path folder, int port) {
        return database(folder, port, () -> {});
    }

    private static TestDatabase database(Path folder, int port, Runnable afterwards) {
        Container postgres = new Container("postgres", "postgres:18").mounting(folder, "/var/lib/postgresql")
                .withVariables(
                        Map.of("POSTGRES_USER", "postgres", "POSTGRES_PASSWORD", "postgres", "POSTGRES_DB", "postgres"))
                .withArguments("-c", "listen_addresses=127.0.0.1", "-c", "port=" + port, "-c", "fsync=off", "-c",
                        "synchronous_commit=off", "-c", "max_connections=300");
        postgres.start();
        // PostgreSQL opens its TCP port only when the database exists.
        postgres.await(() -> listens(port), START_TIMEOUT);
        return new TestDatabase() {

            @Override
            public String jdbcUrl() {
                return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&password=postgres";
            }

            @Override
            public void close() {
                postgres.close();
                afterwards.run();
            }
        };
    }

    @Override
    public TestProxy proxy(EnvoyBootstrap bootstrap, Path folder) {
        Path configuration = folder.toAbsolutePath().resolve("envoy-" + bootstrap.node() + ".yaml");
        try {
            Files.createDirectories(folder);
            Files.writeString(configuration, bootstrap.yaml());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + configuration, e);
        }
        // The container mounts the folder at the same path, because the bootstrap names files in it.
        // Envoy runs as root, which can read a folder of any owner.
        String mounted = folder.toAbsolutePath().toString();
        Container envoy = new Container("envoy", "envoyproxy/envoy:v1.40.0").asUser("root")
                .mounting(folder, mounted)
                .withVariables(Map.of("ENVOY_UID", "0"))
                .withArguments("--config-path", configuration.toString(), "--log-level", "warning",
                        "--disable-hot-restart",
                        "--concurrency", "2");
        envoy.start();
        return new TestProxy() {

            @Override
            public int adminPort() {
                return bootstrap.adminPort();
            }

            @Override
            public boolean isAlive() {
                return envoy.isRunning();
            }

            @Override
            public void awaitLive(Duration timeout) {
                envoy.await(() -> isReady(bootstrap.adminPort()), timeout);
            }

            @Override
            public void close() {
                envoy.close();
            }
        };
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isReady(int adminPort) {
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/ready"))
                .timeout(Duration.ofSeconds(2)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A container in the host's network. It counts as started before it is ready: callers wait with {@link #await}. */
    private static final class Container extends GenericContainer<Container> {

        Container(String part, String image) {
            super(DockerImageName.parse(System.getProperty("redliner.testkit." + part, image)));
            withNetworkMode("host");
            waitingFor(new AbstractWaitStrategy() {
                @Override
                protected void waitUntilReady() {
                    // Callers wait with await.
                }
            });
        }

        Container asUser(String user) {
            return withCreateContainerCmdModifier(command -> command.withUser(user));
        }

        Container mounting(Path folder, String place) {
            return withFileSystemBind(folder.toAbsolutePath().toString(), place, BindMode.READ_WRITE);
        }

        Container withVariables(Map<String, String> environment) {
            return withEnv(environment);
        }

        Container withArguments(String... command) {
            return withCommand(command);
        }

        void await(BooleanSupplier ready, Duration timeout) {
            CountDownLatch never = new CountDownLatch(1);
            try {
                for (long polls = timeout.dividedBy(POLL_INTERVAL); polls > 0; polls--) {
                    if (ready.getAsBoolean()) {
                        return;
                    }
                    if (!isRunning()) {
                        throw new IllegalStateException(getDockerImageName() + " ended: " + getLogs());
                    }
                    if (never.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while " + getDockerImageName() + " started", e);
            }
            throw new IllegalStateException(
                    getDockerImageName() + " is not ready after " + timeout + ": " + getLogs());
        }

        /** Stops the container with SIGTERM first, so that a server closes its files properly. */
        @Override
        public void close() {
            if (isRunning()) {
                getDockerClient().stopContainerCmd(getContainerId()).withTimeout((int) STOP_TIMEOUT.toSeconds())
                        .exec();
            }
            super.close();
        }
    }
}
