// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** A collector that does not learn of runs measures the wrong windows. */
@StartsSpring
class ReadinessTest {

    private static final AtomicLong AHEAD = new AtomicLong();

    @TempDir
    private Path folder;

    /** Not a {@code @Configuration}: the scan of other tests must not find it. */
    static class MovableTime {

        @Bean
        @Primary
        LongSupplier movable() {
            return () -> System.nanoTime() + AHEAD.get();
        }
    }

    @Test
    void a_collector_is_ready_while_kafka_answers() {
        int port = FreePort.next();
        try (ConfigurableApplicationContext collector = start(port)) {
            assertThat(status(collector, "readiness")).isNotEqualTo(Status.UP);

            try (TestBroker kafka = TestKit.broker(folder.resolve("kafka"), port)) {
                assertThat(kafka.bootstrapServers()).endsWith(":" + port);
                await().atMost(Duration.ofSeconds(30)).until(() -> status(collector, "readiness").equals(Status.UP));
                // A poll without records is an answer as well.
                AHEAD.addAndGet(Duration.ofSeconds(11).toNanos());
                await().until(() -> status(collector, "readiness").equals(Status.UP));
            }
            AHEAD.addAndGet(Duration.ofSeconds(11).toNanos());

            await().until(() -> status(collector, "readiness").equals(Status.OUT_OF_SERVICE));
            assertThat(status(collector, "liveness")).as("a new process would not help").isNotEqualTo(Status.DOWN);
        }
    }

    private static ConfigurableApplicationContext start(int kafka) {
        SpringApplicationBuilder builder = CollectorApplication.builder();
        builder.sources(MovableTime.class);
        return builder.run("--server.port=0", "--redliner.kafka.bootstrap-servers=127.0.0.1:" + kafka,
                "--logging.level.org.apache.kafka=error", "--redliner.collector.access-log.port=0",
                "--server.tomcat.mbeanregistry.enabled=true");
    }

    private static Status status(ConfigurableApplicationContext collector, String group) {
        return requireNonNull(collector.getBean(HealthEndpoint.class).healthForPath(group)).getStatus();
    }
}
