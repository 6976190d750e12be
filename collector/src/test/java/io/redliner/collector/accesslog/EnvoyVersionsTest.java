// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.TestedWindows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.source.ListenerTls;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.RequestError;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.embedded.EnvoyBinary;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What owners' proxies report: starts, ends and attempts, by each minor version. All other tests have the newest. */
@Tag("contract")
class EnvoyVersionsTest {

    private static final int REQUESTS = 50;

    private final Clock clock = Clock.systemUTC();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"1.36.4", "1.37.0", "1.38.3", "1.39.3"})
    void starts_ends_and_each_attempt_are_counted(String version) throws Exception {
        WindowAggregator windows = TestedWindows.of(RealEnvoyTest.patient());
        windows.run("shop", new RunWindowSettings(Duration.ofMillis(100), List.of()), clock.instant());
        List<WindowCounts> sealed = new ArrayList<>();
        try (AccessLogServer server = AccessLogServer.start(
                new AccessLogProperties("127.0.0.1", 0, Duration.ofSeconds(1), 2, ListenerTls.NONE),
                new AccessLogService(windows, new AccessLogMetrics(new SimpleMeterRegistry()), clock));
                Upstream first = new Upstream();
                Upstream second = new Upstream();
                StaticEnvoy envoy = new StaticEnvoy(EnvoyBinary.ofVersion(version), folder, server.port(), first,
                        second)) {
            IntStream.range(0, REQUESTS).forEach(number -> envoy.send("/first").join());
            envoy.send("/retry?status=503").join();

            await().until(() -> {
                sealed.addAll(windows.closeDue(clock.instant()));
                return sealed.stream().mapToLong(WindowCounts::completed).sum() == REQUESTS + 3;
            });

            assertThat(sealed.stream().mapToLong(WindowCounts::started).sum()).isEqualTo(REQUESTS + 3);
            assertThat(sealed.stream().mapToLong(window -> window.errors().getOrDefault(RequestError.SERVER, 0L)).sum())
                    .as("each attempt by itself").isEqualTo(3);
            assertThat(windows.inFlight()).isZero();
        }
    }
}
