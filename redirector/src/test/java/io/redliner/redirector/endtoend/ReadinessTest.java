// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.redirector.RedirectorApplication;
import io.redliner.redirector.lease.SteadyClock;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** A rolling restart of redirectors goes on only when the new one is ready. */
class ReadinessTest {

    private static final AtomicLong AHEAD = new AtomicLong();

    @TempDir
    private Path folder;

    /** Not a {@code @Configuration}: the scan of other tests must not find it. */
    static class MovableTime {

        @Bean
        @Primary
        SteadyClock movable() {
            return new SteadyClock(Clock.systemUTC(), () -> System.nanoTime() + AHEAD.get());
        }
    }

    @Test
    void a_redirector_is_ready_when_it_has_read_the_leases_and_while_kafka_answers() throws IOException {
        int port = FreePort.next();
        try (ConfigurableApplicationContext redirector = start(port)) {
            assertThat(readiness(redirector)).isNotEqualTo(Status.UP);

            try (TestBroker kafka = TestKit.broker(folder.resolve("kafka"), port)) {
                assertThat(kafka.bootstrapServers()).endsWith(":" + port);
                await().until(() -> readiness(redirector).equals(Status.UP));
                // A poll without records is an answer as well.
                AHEAD.addAndGet(Duration.ofSeconds(11).toNanos());
                await().until(() -> readiness(redirector).equals(Status.UP));
            }
            AHEAD.addAndGet(Duration.ofSeconds(11).toNanos());

            await().until(() -> readiness(redirector).equals(Status.DOWN));
        }
    }

    private ConfigurableApplicationContext start(int kafka) throws IOException {
        Path services = Files.writeString(folder.resolve("services.yaml"), """
                services:
                  - name: shop
                    listen: "127.0.0.1:%d"
                    instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
                """.formatted(FreePort.next()));
        SpringApplicationBuilder builder = RedirectorApplication.builder();
        builder.sources(MovableTime.class);
        return builder.run("--server.port=0", "--redliner.kafka.bootstrap-servers=127.0.0.1:" + kafka,
                "--logging.level.org.apache.kafka=error", "--redliner.redirector.services.file=" + services,
                "--redliner.redirector.xds.port=0", "--redliner.redirector.loop.catch-up-deadline=10m");
    }

    private static Status readiness(ConfigurableApplicationContext redirector) {
        return requireNonNull(redirector.getBean(HealthEndpoint.class).healthForPath("readiness")).getStatus();
    }
}
