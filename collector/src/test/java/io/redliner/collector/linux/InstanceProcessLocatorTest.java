// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceProcessLocatorTest {

    private static final Path PROC = Path.of("/proc");

    @TempDir
    private Path folder;

    private ProcessTree.Reader trees;

    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    @BeforeEach
    void noProcesses() {
        trees = new ProcessTree.Reader(folder);
    }

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

    @Test
    void the_workers_of_a_prefork_server_are_its_processes_whether_they_hold_the_socket_or_not() throws IOException {
        listens(7, "100");
        child(8, 7);
        child(9, 8);
        child(11, 1);
        Files.createDirectories(folder.resolve("11/fd"));
        Files.createSymbolicLink(folder.resolve("11/fd/4"), Path.of("socket:[1528]"));
        child(12, 1);
        var process = new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.1", 8_080), false);

        assertThat(process.pid(now)).hasValue(7);
        assertThat(process.processes(trees, now)).containsExactly(7L, 8L, 9L, 11L);

        child(13, 7);
        assertThat(process.processes(trees, now.plusSeconds(10))).containsExactly(7L, 8L, 9L, 11L, 13L);
    }

    @Test
    void instances_of_one_machine_share_one_reading_of_its_processes_in_a_round() throws IOException {
        listens(7, "100");
        var one = new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.1", 8_080), false);
        var other = new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.2", 8_080), false);
        assertThat(one.processes(trees, now)).containsExactly(7L);
        child(8, 7);

        assertThat(other.processes(trees, now)).containsExactly(7L);
        assertThat(other.processes(trees, now.plusSeconds(1))).containsExactly(7L);
        assertThat(one.processes(trees, now.plusSeconds(10))).containsExactly(7L, 8L);
        child(9, 7);
        assertThat(other.processes(trees, now.plusSeconds(11))).containsExactly(7L, 8L);
        var found = new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.3", 8_080), false);
        assertThat(found.processes(trees, now.plusSeconds(12))).containsExactly(7L, 8L, 9L);
    }

    @Test
    void what_the_collector_itself_descends_from_brings_no_other_process() throws IOException {
        listens(1, "100");
        child(8, 1);
        child(9, 8);
        Files.createDirectories(folder.resolve("self"));
        Files.writeString(folder.resolve("self/stat"), "9 (collector) S 8 2 3\n");

        assertThat(
                new InstanceProcessLocator(folder, new InstanceSocket("127.0.0.1", 8_080), false).processes(trees, now))
                .containsExactly(1L);
    }

    @Test
    void the_workers_of_a_real_server_are_found() throws Exception {
        var server = new ProcessBuilder("python3", "-c", """
                import os, socket, subprocess, sys
                listening = socket.create_server(('127.0.0.1', 0))
                forked = os.fork()
                if forked == 0:
                    sys.stdin.read()
                    os._exit(0)
                other = subprocess.Popen(['cat'], stdin=subprocess.PIPE)
                print(listening.getsockname()[1], os.getpid(), forked, other.pid, flush=True)
                sys.stdin.read()
                """).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var output = server.inputReader()) {
            var words = output.readLine().split(" ", -1);
            var process = new InstanceProcessLocator(PROC, new InstanceSocket("127.0.0.1", Integer.parseInt(words[0])),
                    false);

            assertThat(process.processes(new ProcessTree.Reader(PROC), now)).containsExactlyInAnyOrder(
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]), Long.parseLong(words[3]));
        } finally {
            server.getOutputStream().close();
            server.destroy();
        }
    }

    private void child(int pid, int parent) throws IOException {
        Files.createDirectories(folder.resolve(String.valueOf(pid)));
        Files.writeString(folder.resolve(pid + "/stat"), pid + " (worker) S " + parent + " 2 3 4 5 6 7 8 9 10\n");
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
