// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Envoy with a port for users, which is killed. */
class EnvoySupervisorTest {

    private static final Path BINARY = EnvoyBinary.locate();

    @TempDir
    Path folder;

    private final int users = FreePort.next();

    private final EnvoyBootstrap bootstrap = answering(users, FreePort.next());

    private final Said said = new Said();

    private final ServerSocket taken = new ServerSocket();

    EnvoySupervisorTest() throws IOException {}

    private static final class Said implements ProcessListener {

        private final List<String> changes = new CopyOnWriteArrayList<>();

        private final List<String> ends = new CopyOnWriteArrayList<>();

        @Override
        public void changed(String text) {
            changes.add(text);
        }

        @Override
        public void gaveUp(String text) {
            ends.add(text);
        }
    }

    private static EnvoyBootstrap answering(int users, int admin) {
        return new EnvoyBootstrap("node-1", admin, """
                node: {id: node-1, cluster: test}
                admin: {address: {socket_address: {address: 127.0.0.1, port_value: %d}}}
                static_resources:
                  listeners:
                    - address: {socket_address: {address: 127.0.0.1, port_value: %d}}
                      filter_chains:
                        - filters:
                            - name: envoy.filters.network.direct_response
                              typed_config:
                                "@type": type.googleapis.com/envoy.extensions.filters.network.direct_response.v3.Config
                                response: {inline_string: served}
                """.formatted(admin, users));
    }

    private EnvoyProcess start() {
        FreePort.require("users", users);
        return EnvoyProcess.start(BINARY, bootstrap, folder);
    }

    private EnvoySupervisor supervised(Supplier<EnvoyProcess> next) {
        EnvoySupervisor supervisor = new EnvoySupervisor(start(), next, said, InstantSource.system());
        supervisor.awaitLive(Duration.ofSeconds(30));
        return supervisor;
    }

    @Test
    void one_that_is_closed_before_it_serves_ends_too() {
        EnvoyProcess process = start();
        try (EnvoySupervisor supervisor = new EnvoySupervisor(process, this::start, said, InstantSource.system())) {
            assertThat(supervisor.problem()).isEmpty();
        }
        assertThat(process.isAlive()).isFalse();
    }

    private static void kill(EnvoySupervisor supervisor) {
        assertThat(ProcessHandle.of(supervisor.pid()).orElseThrow().destroyForcibly()).isTrue();
    }

    private boolean served() {
        try (Socket user = new Socket(InetAddress.getLoopbackAddress(), users)) {
            return new String(user.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .equals("served");
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void one_that_is_killed_serves_again_with_the_same_configuration_and_that_is_said() {
        try (EnvoySupervisor supervisor = supervised(this::start)) {
            assertThat(served()).isTrue();
            long killed = supervisor.pid();

            kill(supervisor);
            await().pollInterval(Duration.ofMillis(5)).until(() -> supervisor.pid() != killed && served());

            await().until(() -> said.changes.size() == 2);
            assertThat(said.changes.getFirst()).contains("process " + killed, "died", "users are refused");
            assertThat(said.changes.getLast()).contains("runs again (process " + supervisor.pid(), "refused for");
            assertThat(supervisor.problem()).isEmpty();
            assertThat(said.ends).isEmpty();
        }
        assertThat(served()).isFalse();
    }

    @Test
    void one_that_does_not_answer_is_named_and_left_alone() throws IOException, InterruptedException {
        try (EnvoySupervisor supervisor = supervised(this::start)) {
            long stopped = supervisor.pid();

            signal("STOP", stopped);
            try {
                await().until(() -> !said.changes.isEmpty());
                assertThat(said.changes.getFirst()).contains("process " + stopped, "not answered", "end the process");
                assertThat(supervisor.problem()).hasValue(said.changes.getFirst());
            } finally {
                signal("CONT", stopped);
            }

            await().until(() -> said.changes.size() == 2);
            assertThat(said.changes.getLast()).contains("process " + stopped, "answers again");
            assertThat(supervisor.problem()).isEmpty();
            assertThat(supervisor.pid()).isEqualTo(stopped);
        }
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void one_whose_port_is_taken_meanwhile_is_given_up_with_the_reason() throws IOException {
        try (EnvoySupervisor supervisor = supervised(this::startElsewhereTaken)) {
            kill(supervisor);

            await().until(() -> !said.ends.isEmpty());
            assertThat(said.ends).singleElement().asString().contains("7 times in a row", "Port " + users, "in use",
                    "envoy-node-1.log");
            assertThat(supervisor.problem()).isEqualTo(said.ends.stream().findFirst());
        } finally {
            taken.close();
        }
    }

    /** The first time, somebody else takes the port. */
    private EnvoyProcess startElsewhereTaken() {
        if (!taken.isBound()) {
            try {
                taken.setReuseAddress(true);
                taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), users));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
        return start();
    }

    @Test
    void says_where_it_listens() {
        try (EnvoySupervisor supervisor = supervised(this::start)) {
            EnvoyProcess proxy = EnvoyProcess.leftover(BINARY, bootstrap, folder).orElseThrow();
            assertThat(proxy.pid()).isEqualTo(supervisor.pid());
            assertThat(proxy.listensOn(users)).isTrue();
            assertThat(proxy.listensOn(users + 1)).isFalse();
        }
    }

    @Test
    void closing_it_ends_the_process_for_good() {
        EnvoySupervisor supervisor = supervised(this::start);
        long pid = supervisor.pid();

        supervisor.close();

        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(said.changes).isEmpty();
    }
}
