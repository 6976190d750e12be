// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class FreePortTest {

    @Test
    void can_be_listened_on_and_is_none_that_the_system_gives_away() throws Exception {
        int port = FreePort.next();

        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.getLocalPort()).isEqualTo(port).isLessThan(32_768);
            assertThat(IntStream.range(0, 1_000).map(number -> FreePort.next())).doesNotContain(port);
        }
    }

    @Test
    void is_given_once() {
        assertThat(IntStream.range(0, 1_000).map(number -> FreePort.next())).doesNotHaveDuplicates();
    }

    @Test
    void of_an_earlier_process_is_taken_again_by_one() throws Exception {
        List<Integer> ports;
        // Few: between the two processes any other one may be given them.
        Process before = taker(3);
        try (BufferedReader output = before.inputReader()) {
            ports = output.lines().takeWhile(line -> !line.isEmpty()).map(Integer::valueOf).toList();
            assertThat(ports).hasSize(3).noneMatch(FreePort::take).noneMatch(FreePort::reserve);
        } finally {
            before.destroy();
        }
        before.waitFor();

        assertThat(ports).allMatch(FreePort::take);

        Process after = taker(1_000);
        try (BufferedReader output = after.inputReader()) {
            assertThat(output.lines().takeWhile(line -> !line.isEmpty()).map(Integer::valueOf))
                    .hasSize(1_000).doesNotContainAnyElementsOf(ports);
        } finally {
            after.destroy();
        }
    }

    @Test
    void that_something_listens_on_is_not_taken() throws Exception {
        int port = FreePort.next();

        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.take(socket.getLocalPort())).isFalse();
            assertThat(FreePort.reserve(socket.getLocalPort())).isTrue();
        }
        // A process that another test starts may have inherited the socket for some milliseconds.
        await().until(() -> FreePort.take(port));
    }

    /** The process that starts another one has all its sockets for some milliseconds, until it closes them. */
    @Test
    void can_be_listened_on_at_once_while_processes_are_started() throws Exception {
        var ended = new AtomicBoolean();
        CompletableFuture<Integer> starts = CompletableFuture.supplyAsync(() -> startUntil(ended));
        try {
            for (int number = 0; number < 300; number++) {
                int port = FreePort.next();
                FreePort.require("test", port);
                assertThat(FreePort.take(port)).isTrue();
                new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            }
        } finally {
            ended.set(true);
        }
        assertThat(starts).succeedsWithin(Duration.ofSeconds(30), InstanceOfAssertFactories.INTEGER).isPositive();
    }

    private static int startUntil(AtomicBoolean ended) {
        int starts = 0;
        while (!ended.get() || starts == 0) {
            try {
                new ProcessBuilder("true").start().waitFor();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            starts++;
        }
        return starts;
    }

    private static Process taker(int ports) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Taker.class.getName(), Integer.toString(ports))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** Takes ports, prints them, and lives until its input ends. */
    static final class Taker {

        private Taker() {}

        public static void main(String[] arguments) throws IOException {
            IntStream.range(0, Integer.parseInt(arguments[0])).map(number -> FreePort.next())
                    .forEach(System.out::println);
            System.out.println();
            int end = System.in.read();
            System.out.println(end);
        }
    }

    @Test
    void is_given_to_no_other_process() throws Exception {
        Process other = taker(1_000);
        try (BufferedReader output = other.inputReader()) {
            Set<Integer> others = output.lines().takeWhile(line -> !line.isEmpty()).map(Integer::valueOf)
                    .collect(Collectors.toSet());

            assertThat(others).hasSize(1_000);
            assertThat(IntStream.range(0, 1_000).mapToObj(number -> FreePort.next()))
                    .doesNotContainAnyElementsOf(others);
        } finally {
            other.destroy();
        }
    }
}
