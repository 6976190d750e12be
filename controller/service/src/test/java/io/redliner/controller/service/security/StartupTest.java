// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.ControllerApplication;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;

class StartupTest {

    @TempDir
    private Path folder;

    /** There is no database and no Kafka: a start that gets as far as these fails with another message. */
    private static AccessNotConfiguredException refusal(String... settings) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none"));
        arguments.addAll(List.of(settings));
        try (ConfigurableApplicationContext started = ControllerApplication.builder()
                .run(arguments.toArray(String[]::new))) {
            throw new AssertionError("it started: " + started);
        } catch (AccessNotConfiguredException refused) {
            return refused;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "10.1.2.3", "", "203.0.113.7"})
    void without_authentication_nothing_but_this_machine_is_served(String address) {
        AccessNotConfiguredException refused = refusal("--server.address=" + address);

        assertThat(refused).hasMessageContaining("server.address")
                .hasMessageContaining("redliner.controller.access.mode")
                .hasMessageContaining("authenticated")
                .hasMessageContaining("127.0.0.1")
                .hasMessageContaining("bootstrap-token-file");
        FailureAnalysis analysis = Objects
                .requireNonNull(new AccessNotConfiguredFailureAnalyzer().analyze(new IllegalStateException(refused)));
        assertThat(analysis.getAction()).startsWith("Either set server.address to a loopback address");
    }

    @Test
    void a_management_port_that_nothing_guards_is_not_opened() {
        assertThat(refusal("--server.address=0.0.0.0", "--redliner.controller.access.mode=authenticated",
                "--management.server.port=9999")).hasMessageContaining("management.server.port");
    }

    @Test
    void loopback_addresses_are_enough_and_with_authentication_any_address_is() {
        try (ConfigurableApplicationContext context = Scene.shared()
                .startController(Map.of("server.address", "0.0.0.0", "redliner.controller.access.mode",
                        "authenticated"))) {
            Answer answer = Scene.client(context).get("/api/v1/runs");
            assertThat(answer.status()).as("it starts, and nobody can sign in").isEqualTo(401);
        }
    }

    @Test
    void the_first_admin_has_the_token_of_a_file() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), GuardedScene.BOOTSTRAP + "\n");

        Caller caller = Objects.requireNonNull(BootstrapToken.of(null, file).caller(GuardedScene.BOOTSTRAP));

        assertThat(caller.role()).isEqualTo(Role.ADMIN);
        assertThat(BootstrapToken.of(null, file).caller(GuardedScene.BOOTSTRAP + "\n")).isNull();
        assertThat(BootstrapToken.of(null, null).caller("")).isNull();
    }

    @Test
    void a_bootstrap_token_that_can_be_guessed_or_is_not_there_is_refused_without_being_shown() throws IOException {
        assertThatThrownBy(() -> BootstrapToken.of(SecretText.of("hunter2"), null))
                .isInstanceOf(AccessNotConfiguredException.class)
                .hasMessageNotContaining("hunter2");
        Path empty = Files.createFile(folder.resolve("empty"));
        assertThatThrownBy(() -> BootstrapToken.of(null, empty)).isInstanceOf(AccessNotConfiguredException.class);
        assertThatThrownBy(() -> BootstrapToken.of(null, folder.resolve("none")))
                .isInstanceOf(AccessNotConfiguredException.class)
                .hasMessageContaining("bootstrap-token-file");
        Path utf16 = Files.writeString(folder.resolve("utf16"), GuardedScene.BOOTSTRAP, StandardCharsets.UTF_16);
        assertThatThrownBy(() -> BootstrapToken.of(null, utf16)).isInstanceOf(AccessNotConfiguredException.class)
                .hasMessageContaining("is not UTF-8 (line 1, byte 1)").hasMessageNotContaining("Input length");
        assertThat(SecretText.of("hunter2").toString()).isEqualTo("***");
    }
}
