// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvoyProcessTest {

    @TempDir
    Path folder;

    @Test
    void runs_until_it_is_closed_and_ends_the_one_that_was_left_over_in_the_folder() {
        Path binary = EnvoyBinary.locate();
        EnvoyProcess leftOver = EnvoyProcess.start(binary, bootstrap(), folder);
        await().until(() -> ProcessHandle.of(leftOver.pid()).flatMap(process -> process.info().command())
                .filter(command -> command.contains("envoy")).isPresent());

        try (EnvoyProcess proxy = EnvoyProcess.start(binary, bootstrap(), folder)) {
            assertThat(proxy.isAlive()).isTrue();
            assertThat(leftOver.isAlive()).isFalse();
            proxy.close();
            assertThat(proxy.isAlive()).isFalse();
        }
    }

    @Test
    void one_that_was_left_over_goes_on_with_the_same_bootstrap_and_with_no_other() {
        Path binary = EnvoyBinary.locate();
        EnvoyBootstrap bootstrap = bootstrap();
        EnvoyProcess started = EnvoyProcess.start(binary, bootstrap, folder);
        await().until(() -> EnvoyProcess.leftover(binary, bootstrap, folder).isPresent());

        assertThat(EnvoyProcess.leftover(binary, bootstrap(), folder)).isEmpty();
        assertThat(EnvoyProcess.leftover(folder.resolve("another"), bootstrap, folder)).isEmpty();
        try (EnvoyProcess leftover = EnvoyProcess.leftover(binary, bootstrap, folder).orElseThrow()) {
            assertThat(leftover.pid()).isEqualTo(started.pid());
            assertThat(leftover.adminPort()).isEqualTo(bootstrap.adminPort());
        }
        assertThat(started.isAlive()).isFalse();
        assertThat(EnvoyProcess.leftover(binary, bootstrap, folder)).isEmpty();
    }

    @Test
    void says_why_it_did_not_start() throws Exception {
        Path broken = folder.resolve("envoy");
        Files.writeString(broken, "#!/bin/sh\necho cannot listen; exit 3\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();

        try (EnvoyProcess proxy = EnvoyProcess.start(broken, bootstrap(), folder)) {
            assertThatThrownBy(() -> proxy.awaitLive(Duration.ofSeconds(10))).hasMessageContaining("cannot listen");
        }
    }

    @Test
    void says_why_it_did_not_start_in_any_encoding() throws Exception {
        Path broken = folder.resolve("envoy");
        Files.writeString(broken, "#!/bin/sh\nprintf 'k\\366nnte nicht lauschen'; exit 3\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();

        try (EnvoyProcess proxy = EnvoyProcess.start(broken, bootstrap(), folder)) {
            assertThatThrownBy(() -> proxy.awaitLive(Duration.ofSeconds(10))).hasMessageContaining("nicht lauschen");
        }
    }

    @Test
    void an_admin_interface_that_hangs_does_not_stretch_the_deadline() throws Exception {
        Path hanging = folder.resolve("envoy");
        Files.writeString(hanging, "#!/bin/sh\nexec sleep 60\n");
        assertThat(hanging.toFile().setExecutable(true)).isTrue();
        EnvoyBootstrap bootstrap = bootstrap();
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket admin = new ServerSocket(bootstrap.adminPort(), 50, InetAddress.getLoopbackAddress());
                EnvoyProcess proxy = EnvoyProcess.start(hanging, bootstrap, folder)) {
            List<Socket> open = new CopyOnWriteArrayList<>();
            Thread.ofVirtual().start(() -> {
                try {
                    while (open.add(admin.accept())) {
                        asked.incrementAndGet();
                    }
                } catch (IOException closed) {
                    open.forEach(EnvoyProcessTest::end);
                }
            });

            assertThatThrownBy(() -> proxy.awaitLive(Duration.ofMillis(500))).hasMessageContaining("not ready after");

            assertThat(asked).as("questions of two seconds each, of twenty within the deadline").hasValueLessThan(5);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void a_bootstrap_that_was_damaged_is_another_one() throws Exception {
        EnvoyBootstrap bootstrap = bootstrap();
        try (EnvoyProcess proxy = EnvoyProcess.start(EnvoyBinary.locate(), bootstrap, folder)) {
            assertThat(proxy.isAlive()).isTrue();
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".yaml")).toList()) {
                Files.write(file, new byte[]{(byte) 0xff});
            }
        }

        assertThat(EnvoyProcess.leftover(EnvoyBinary.locate(), bootstrap, folder)).isEmpty();
    }

    private static EnvoyBootstrap bootstrap() {
        return EnvoyBootstrap.everything("node-1", FreePort.next(), FreePort.next(), FreePort.next());
    }
}
