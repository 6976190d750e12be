// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;

/** Whoever restarts redirectors one after another goes on when the new one is ready. */
class ReadinessTest {

    @Test
    void a_redirector_is_ready_when_it_has_read_the_leases_that_there_are(@TempDir Path folder) throws IOException {
        Path services = Files.writeString(folder.resolve("services.yaml"), """
                services:
                  - name: shop
                    listen: "127.0.0.1:%d"
                    instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
                """.formatted(FreePort.next()));
        try (RunningRedirector redirector = RunningRedirector.start(services, 0,
                "redliner.redirector.loop.catch-up-deadline=10m")) {
            assertThat(readiness(redirector)).isEqualTo(Status.OUT_OF_SERVICE);

            redirector.begin();

            await().until(() -> readiness(redirector).equals(Status.UP));
        }
    }

    private static Status readiness(RunningRedirector redirector) {
        return requireNonNull(redirector.bean(HealthEndpoint.class).healthForPath("readiness")).getStatus();
    }
}
