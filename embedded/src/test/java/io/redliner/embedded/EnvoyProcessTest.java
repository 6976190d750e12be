// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
    void says_why_it_did_not_start() throws Exception {
        Path broken = folder.resolve("envoy");
        Files.writeString(broken, "#!/bin/sh\necho cannot listen; exit 3\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();

        try (EnvoyProcess proxy = EnvoyProcess.start(broken, bootstrap(), folder)) {
            assertThatThrownBy(() -> proxy.awaitLive(Duration.ofSeconds(10))).hasMessageContaining("status 3")
                    .hasMessageContaining("cannot listen");
        }
    }

    private static EnvoyBootstrap bootstrap() {
        return EnvoyBootstrap.everything("node-1", FreePort.next(), FreePort.next(), FreePort.next());
    }
}
