// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.collector.jvm.JvmConnector.JvmConnection;
import io.redliner.collector.jvm.JvmConnector.NoJvmException;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmConnectorTest {

    private static final JvmProperties PROPERTIES = new JvmProperties(true, Duration.ofSeconds(1), 2_000,
            Duration.ofSeconds(60), null, null);

    @TempDir
    private Path folder;

    /** A JVM that attaches sends SIGQUIT, and that would be the end of it. */
    @Test
    void a_process_that_is_no_jvm_is_left_alone() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            listens("0100007F", process.pid());

            assertThatThrownBy(() -> door("127.0.0.1").open()).isInstanceOf(IOException.class).hasMessage(
                    "process " + process.pid() + ", which listens on port 8080, is no JVM");
            assertThatThrownBy(() -> JvmConnector.of(target("127.0.0.1", Optional.empty()), PROPERTIES, folder).open())
                    .isInstanceOf(NoJvmException.class);
            assertThat(process.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void the_jvm_of_another_address_with_the_same_port_is_not_taken_for_it() throws Exception {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0")) {
            listens("0200007F", jvm.pid());

            assertThatThrownBy(() -> door("127.0.0.3").open()).isInstanceOf(IOException.class)
                    .hasMessageContaining("no process that may be looked at listens on port 8080");
            JvmConnection opened = door("127.0.0.2").open();
            assertThat(opened.process()).hasValue(jvm.pid());
            opened.end().close();
        }
    }

    @ParameterizedTest
    @CsvSource({"-XX:+UseSerialGC, 40, true", "-XX:+UseG1GC, 40, true", "-XX:+UseSerialGC, 100, false",
        "-XX:+UseG1GC, 100, false"})
    void a_heap_that_the_reading_may_fill_is_left_alone_unless_the_settings_ask_for_it(String collector, int mib,
            boolean small) throws Exception {
        try (TestedJvm jvm = TestedJvm.start(List.of(collector, "-Xmx" + mib + "m"), "rests", "0")) {
            listens("0100007F", jvm.pid());
            for (String file : List.of("status", "root")) {
                Files.createSymbolicLink(folder.resolve(jvm.pid() + "/" + file), Path.of("/proc/" + jvm.pid(), file));
            }
            JvmConnector unasked = JvmConnector.of(target("127.0.0.1", Optional.empty()), PROPERTIES, folder);

            if (small) {
                assertThatThrownBy(unasked::open).isInstanceOf(IOException.class)
                        .hasMessageContaining("a heap of at most 4")
                        .hasMessageContaining("`jmx: local` at the instance");
            } else {
                unasked.open().end().close();
            }
            door("127.0.0.1").open().end().close();
        }
    }

    private JvmConnector door(String host) {
        return JvmConnector.of(target(host, Optional.of("local")), PROPERTIES, folder);
    }

    private static Target target(String host, Optional<String> jmx) {
        return new Target(new InstanceId("shop", host + ":8080"), 8_080, true, Optional.empty(), jmx);
    }

    private void listens(String address, long pid) throws IOException {
        Files.createDirectories(folder.resolve("net"));
        Files.writeString(folder.resolve("net/tcp"), """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: %s:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1528 1 0 100
                """.formatted(address));
        Files.createDirectories(folder.resolve(pid + "/fd"));
        Files.createSymbolicLink(folder.resolve(pid + "/fd/3"), Path.of("socket:[1528]"));
        Files.createSymbolicLink(folder.resolve(pid + "/maps"), Path.of("/proc/" + pid + "/maps"));
    }
}
