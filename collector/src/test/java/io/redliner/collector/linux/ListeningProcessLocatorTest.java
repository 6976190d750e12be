// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.linux.InstanceProcessLocator.ListeningProcessLocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class ListeningProcessLocatorTest {

    private static final NetworkTables NET = NetworkTables.own(Path.of("/proc"));

    private final ListeningProcessLocator listening = new ListeningProcessLocator(Path.of("/proc"));

    @Test
    void finds_the_process_that_listens_on_a_port() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(listening.on(Optional.empty(), socket.getLocalPort(), NET)).containsExactly(own());
        }
    }

    @Test
    void who_listens_on_another_address_of_the_same_port_is_somebody_else() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            assertThat(on("127.0.0.2", socket)).containsExactly(own());
            assertThat(on("127.0.0.3", socket)).isEmpty();
        }
    }

    @Test
    void who_listens_on_all_addresses_listens_on_each() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1)) {
            assertThat(on("127.0.0.2", socket)).containsExactly(own());
            assertThat(on("::1", socket)).containsExactly(own());
        }
    }

    @Test
    void an_address_of_ipv6_is_found() throws IOException {
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
            assertThat(on("[::1]", socket)).containsExactly(own());
            // Nobody else is there, who might have got the same port.
            assertThat(on("127.203.47.9", socket)).isEmpty();
        }
    }

    @Test
    void names_and_wildcards_say_nothing_of_the_address() {
        assertThat(IpAddress.of("shop")).isEmpty();
        assertThat(IpAddress.of("cafe")).isEmpty();
        assertThat(IpAddress.of("0.0.0.0")).isEmpty();
        assertThat(IpAddress.of("[::]")).isEmpty();
        assertThat(IpAddress.of("300.1.1.1")).isEmpty();
        assertThat(IpAddress.of("::ffff:10.0.0.1")).isEqualTo(IpAddress.of("10.0.0.1")).isPresent();
    }

    @Test
    void finds_nobody_where_nobody_listens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(listening.on(Optional.empty(), port, NET)).isEmpty();
    }

    @Test
    void finds_nobody_without_the_kernels_tables() {
        assertThat(new ListeningProcessLocator(Path.of("/nowhere")).on(Optional.empty(), 80,
                new NetworkTables(Path.of("/nowhere/net"))))
                .isEmpty();
    }

    private SortedSet<Long> on(String host, ServerSocket socket) {
        return listening.on(IpAddress.of(host), socket.getLocalPort(), NET);
    }

    private static long own() {
        return ProcessHandle.current().pid();
    }
}
