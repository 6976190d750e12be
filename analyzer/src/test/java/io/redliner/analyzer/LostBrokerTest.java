// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer;

import static org.awaitility.Awaitility.await;

import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** An analyzer whose broker is away for good is stopped. */
@Tag("fault")
class LostBrokerTest {

    private static final String GROUP = "lost-broker";

    @TempDir
    private Path folder;

    @Test
    void none_of_its_stream_threads_outlives_it() {
        ConfigurableApplicationContext analyzer;
        try (TestBroker kafka = TestKit.broker()) {
            analyzer = AnalyzerApplication.builder().run("--server.port=0",
                    "--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                    "--redliner.analyzer.stream.application-id=" + GROUP,
                    "--redliner.analyzer.stream.state-directory=" + folder,
                    "--redliner.analyzer.stream.session-timeout=6s", "--management.server.port=0");
            HealthIndicator health = analyzer.getBean("streamHealthIndicator", HealthIndicator.class);
            // Until then the thread may be making topics, and without a broker it tries that for a minute.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Status.UP.equals(Objects.requireNonNull(health.health()).getStatus()));
        }
        try (analyzer) {
            // Until then the group's other members would be waited for.
            await("the partitions are lost with the session").atMost(Duration.ofSeconds(60)).until(
                    () -> streamThreads().stream().anyMatch(LostBrokerTest::looksForTheBroker));
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> streamThreads().isEmpty());
    }

    private static List<Thread> streamThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(GROUP) && thread.getName().contains("StreamThread"))
                .toList();
    }

    private static boolean looksForTheBroker(Thread thread) {
        return List.of(thread.getStackTrace()).stream()
                .anyMatch(frame -> frame.getMethodName().equals("ensureCoordinatorReady"));
    }
}
