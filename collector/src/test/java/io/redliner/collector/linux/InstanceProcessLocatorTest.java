// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceProcessLocatorTest {

    private static final Path PROC = Path.of("/proc");

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void finds_the_process_of_a_real_port_in_the_collectors_own_network() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = socket.getLocalPort();
            InstanceProcessLocator process = new InstanceProcessLocator(PROC, new InstanceSocket("127.0.0.1", port),
                    false);

            assertThat(process.pid(now)).hasValue(ProcessHandle.current().pid());
            assertThat(process.network(now)).isEqualTo(PROC.resolve("net"));
        }
    }

    @Test
    void a_process_that_was_not_there_is_looked_for_again_after_some_seconds() throws IOException {
        InstanceProcessLocator process = new InstanceProcessLocator(folder, new InstanceSocket("shop", 8_080), false);
        assertThat(process.pid(now)).isEmpty();
        listens(7, "100");

        assertThat(process.pid(now.plusSeconds(1))).isEmpty();
        assertThat(process.pid(now.plusSeconds(6))).hasValue(7);
    }

    @Test
    void an_id_that_another_process_has_now_is_not_taken_for_the_same() throws IOException {
        listens(7, "100");
        InstanceProcessLocator process = new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.1", 8_080),
                false);
        assertThat(process.pid(now)).hasValue(7);

        Files.delete(folder.resolve("7/fd/3"));
        listens(9, "300");
        assertThat(process.pid(now.plusSeconds(1))).hasValue(7);
        stat(7, "200");

        assertThat(process.pid(now.plusSeconds(2))).hasValue(9);
    }

    @Test
    void an_address_that_nobody_here_has_is_looked_for_in_the_collectors_own_network() throws IOException {
        listens(7, "100");

        InstanceProcessLocator process = new InstanceProcessLocator(folder, new InstanceSocket("203.0.113.9", 8_080),
                false);

        assertThat(process.pid(now)).hasValue(7);
        assertThat(process.address(now)).isEmpty();
        assertThat(new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.1", 8_080), false).address(now))
                .isPresent();
    }

    private void listens(int pid, String started) throws IOException {
        Files.createDirectories(folder.resolve("net"));
        Files.writeString(folder.resolve("net/tcp"), """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1528 1 0 100
                   1: 0100007F:1F90 0100007F:0001 01 00000000:00000000 00:00000000 00000000     0        0 1529 1 0 100
                """);
        Files.createDirectories(folder.resolve(pid + "/fd"));
        Files.createSymbolicLink(folder.resolve(pid + "/fd/3"), Path.of("socket:[1528]"));
        stat(pid, started);
    }

    private void stat(int pid, String started) throws IOException {
        Files.writeString(folder.resolve(pid + "/stat"),
                pid + " (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " + started + " 20 21\n");
    }
}
