// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.util.unit.DataSize;

/** Real connections, and what the kernel says of them. */
@Execution(ExecutionMode.SAME_THREAD)
class RealSocketsTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void a_client_that_does_not_read_is_the_slow_one() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(LOOPBACK, 0));
                Socket client = new Socket(LOOPBACK, server.socket().getLocalPort());
                SocketChannel accepted = server.accept()) {
            SocketsProbe probe = probe(LOOPBACK.getHostAddress(), server.socket().getLocalPort());
            accepted.configureBlocking(false);
            long[] written = new long[1];
            ByteBuffer some = ByteBuffer.allocate(100_000);
            await().until(() -> {
                some.clear();
                int more = accepted.write(some);
                written[0] += more;
                return more == 0;
            });

            steadily().untilAsserted(() -> {
                Map<String, Double> seen = look(probe);
                assertThat(seen).containsEntry("sockets.case[slow-client]", 1.0)
                        .containsEntry("sockets.case[slow-server]", 0.0)
                        .containsEntry("sockets.case[slow-network]", 0.0);
                assertThat(seen).containsEntry("client.receive.queue", (double) client.getInputStream().available())
                        .containsEntry("sockets.send.queue",
                                (double) written[0] - client.getInputStream().available());
                assertThat(seen.get("sockets.send.queue")).isPositive();
            });
        }
    }

    @Test
    void a_server_that_does_not_answer_is_the_slow_one() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK);
                Socket client = new Socket(LOOPBACK, server.getLocalPort());
                Socket accepted = server.accept()) {
            SocketsProbe probe = probe(LOOPBACK.getHostAddress(), server.getLocalPort());
            client.getOutputStream().write(new byte[1_234]);

            steadily().untilAsserted(() -> assertThat(look(probe)).containsEntry("sockets.case[slow-server]", 1.0)
                    .containsEntry("sockets.case[slow-client]", 0.0).containsEntry("sockets.case[slow-network]", 0.0)
                    .containsEntry("sockets.receive.queue", 1_234.0).containsEntry("sockets.send.queue", 0.0)
                    .containsEntry("client.receive.queue", 0.0).containsEntry("sockets.connections", 1.0));
            assertThat(accepted.getInputStream().readNBytes(1_234)).hasSize(1_234);
        }
    }

    @Test
    void a_network_that_carries_too_little_is_the_slow_one() throws IOException {
        try (Machines machines = machines()) {
            machines.slow();
            int port = machines.serve();
            machines.readNearby(port);
            SocketsProbe probe = probe(Machines.ADDRESS, port);

            steadily().untilAsserted(() -> {
                Map<String, Double> seen = look(probe);
                assertThat(seen).containsEntry("sockets.case[slow-network]", 1.0)
                        .containsEntry("sockets.case[slow-client]", 0.0)
                        .containsEntry("sockets.case[slow-server]", 0.0);
                assertThat(seen.get("sockets.send.queue")).isGreaterThan(16_384);
                assertThat(seen.get("client.receive.queue")).isLessThan(16_384);
            });
        }
    }

    @Test
    void a_network_is_slow_also_when_the_clients_end_cannot_be_seen() throws IOException {
        try (Machines machines = machines()) {
            machines.slow();
            int port = machines.serve();
            machines.readFarAway(port);
            SocketsProbe probe = probe(Machines.ADDRESS, port);

            steadily().untilAsserted(() -> assertThat(look(probe)).containsEntry("sockets.case[slow-network]", 1.0)
                    .containsEntry("sockets.case[slow-client]", 0.0).containsEntry("sockets.connections", 1.0)
                    .doesNotContainKey("client.receive.queue"));
        }
    }

    @Test
    void a_client_far_away_that_does_not_read_is_the_slow_one() throws IOException {
        try (Machines machines = machines()) {
            int port = machines.serve();
            machines.stallFarAway(port);
            SocketsProbe probe = probe(Machines.ADDRESS, port);

            steadily().untilAsserted(() -> assertThat(look(probe)).containsEntry("sockets.case[slow-client]", 1.0)
                    .containsEntry("sockets.case[slow-network]", 0.0).containsEntry("sockets.case[slow-server]", 0.0)
                    .doesNotContainKey("client.receive.queue"));
        }
    }

    @Test
    void an_instance_in_another_network_namespace_is_looked_at_without_a_setting() throws IOException {
        try (Machines machines = machines()) {
            int port = machines.serve();
            machines.readFarAway(port);
            InstanceRegistry registry = new InstanceRegistry(List.of());
            registry.list("r1", "shop", Map.of(Machines.ADDRESS + ":" + port, "", "203.0.113.7:" + port, ""),
                    Instant.now());
            LocalInstances instances = new LocalInstances(registry, Path.of("/proc"));
            SocketsProbe probe = new SocketsProbe(instances, Path.of("/proc"),
                    new SocketsProperties(true, DataSize.ofKilobytes(16), 1, 200_000));

            steadily().untilAsserted(() -> assertThat(look(probe)).containsEntry("sockets.connections", 1.0));
            assertThat(instances.services()).containsExactly("shop");
        }
    }

    @Test
    void connections_that_nobody_accepts_fill_the_queue_and_then_overflow() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
            SocketsProbe probe = probe(LOOPBACK.getHostAddress(), server.getLocalPort());
            assertThat(look(probe)).containsEntry("sockets.accept.queue", 0.0);
            List<SocketChannel> clients = new ArrayList<>();
            try {
                for (int client = 0; client < 6; client++) {
                    SocketChannel channel = SocketChannel.open();
                    clients.add(channel);
                    channel.configureBlocking(false);
                    channel.connect(new InetSocketAddress(LOOPBACK, server.getLocalPort()));
                }

                List<Double> overflows = new ArrayList<>();
                await().untilAsserted(() -> {
                    Map<String, Double> seen = look(probe);
                    overflows.add(seen.getOrDefault("machine.accept.overflows", 0.0));
                    // A queue of 1 holds one more than that, as the kernel counts.
                    assertThat(seen).containsEntry("sockets.accept.queue", 2.0);
                    assertThat(overflows).anyMatch(perSecond -> perSecond > 0);
                });
            } finally {
                for (SocketChannel client : clients) {
                    client.close();
                }
            }
        }
    }

    /** A lucky look is not enough. */
    private static ConditionFactory steadily() {
        return await().during(Duration.ofSeconds(1));
    }

    private static Machines machines() {
        try {
            return new Machines();
        } catch (IOException e) {
            return abort("no network namespace can be made here (needs root and iproute2): " + e.getMessage());
        }
    }

    private static SocketsProbe probe(String host, int port) {
        return new SocketsProbe(
                now -> List.of(new Target(new InstanceId("shop", host + ":" + port), port, true, Optional.empty(),
                        Optional.empty())),
                Path.of("/proc"), new SocketsProperties(true, DataSize.ofKilobytes(16), 1, 200_000));
    }

    /** What it sees next; a large table is not read at each look. */
    private static Map<String, Double> look(SocketsProbe probe) {
        Map<String, Double> values = new TreeMap<>();
        await().until(() -> {
            Instant now = Instant.now();
            try {
                for (GaugeMeasurement measurement : probe.measure(now, now.plusSeconds(1))) {
                    values.put(measurement.name(), measurement.value());
                }
            } catch (ProbeFailedException e) {
                throw new AssertionError(e);
            }
            return !values.isEmpty();
        });
        return values;
    }
}
