// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.ListenerTls;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.WindowMetrics.InFlightEvictionReason;
import io.redliner.collector.windowing.WindowSettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests of a real proxy are in flight. */
class InFlightTest {

    private final Clock clock = Clock.systemUTC();

    private final WindowAggregator windows = TestedWindows.of(settings());

    private final AccessLogServer server = AccessLogServer.start(
            new AccessLogProperties("127.0.0.1", 0, Duration.ofSeconds(1), 2, ListenerTls.NONE),
            new AccessLogService(windows, new AccessLogMetrics(new SimpleMeterRegistry()), clock));

    private final Upstream first = new Upstream();

    private final Upstream second = new Upstream();

    @TempDir
    private Path folder;

    private StaticEnvoy envoy;

    @BeforeEach
    void startEnvoy() throws Exception {
        envoy = new StaticEnvoy(folder, server.port(), first, second);
    }

    @AfterEach
    void stop() {
        envoy.close();
        first.close();
        second.close();
        server.close();
    }

    @Test
    void a_request_is_followed_for_as_long_as_its_route_allows() throws Exception {
        try (Socket brief = envoy.connectWithoutBody("/timeout?hang");
                Socket longer = envoy.connectWithoutBody("/first?hang")) {
            await().until(() -> windows.inFlight() == 2);

            await().until(() -> {
                windows.closeDue(clock.instant());
                return windows.inFlight() < 2;
            });

            assertThat(windows.inFlight()).as("its route allows 30 s").isEqualTo(1);
            assertThat(windows.metrics().forgotten(InFlightEvictionReason.EXPIRED)).isEqualTo(1);
            assertThat(brief.isConnected() && longer.isConnected()).isTrue();
        }
    }

    @Test
    void a_request_that_has_the_id_of_one_that_is_tried_again_stays_in_flight() throws Exception {
        try (Socket hanging = envoy.connectAs("same", "/first?hang")) {
            await().until(() -> windows.inFlight() == 1);

            try (Socket retried = envoy.connectAs("same", "/retry?status=503")) {
                await().until(() -> windows.metrics().received(RecordKind.END) > 0);
                assertThat(retried.isConnected()).isTrue();
            }

            assertThat(windows.inFlight()).isEqualTo(1);
            assertThat(hanging.isConnected()).isTrue();
        }
    }

    @Test
    void a_websocket_is_no_request_in_flight_and_its_close_by_the_server_is_no_error() throws Exception {
        try (Socket user = envoy.connectWith("Connection: Upgrade\r\nUpgrade: websocket", "/upgrade")) {
            assertIsStream(user, "HTTP/1.1 101", 0);
        }
    }

    @Test
    void events_are_no_request_in_flight_when_the_client_asks_for_them() throws Exception {
        try (Socket user = envoy.connectWith("Accept: text/event-stream", "/first?events")) {
            assertIsStream(user, "HTTP/1.1 200", 0);
        }
    }

    @Test
    void events_that_the_client_did_not_ask_for_are_in_flight_until_they_end_and_have_no_latency() throws Exception {
        try (Socket user = envoy.connectWith("Accept: */*", "/first?events")) {
            assertIsStream(user, "HTTP/1.1 200", 1);
        }
    }

    private void assertIsStream(Socket user, String answer, int inFlight) throws IOException {
        byte[] begin = user.getInputStream().readNBytes(answer.length());
        assertThat(new String(begin, StandardCharsets.US_ASCII)).isEqualTo(answer);
        await().until(() -> windows.metrics().received(RecordKind.START) == 1);
        assertThat(windows.inFlight()).isEqualTo(inFlight);

        first.release();
        await().until(() -> windows.metrics().received(RecordKind.END) == 1);

        List<WindowCounts> sealed = new ArrayList<>();
        await().until(() -> {
            sealed.addAll(windows.closeDue(clock.instant()));
            return sealed.stream().anyMatch(window -> window.completed() > 0);
        });
        assertThat(sealed.stream().mapToLong(WindowCounts::started).sum()).isEqualTo(1);
        assertThat(sealed).filteredOn(window -> window.completed() > 0).singleElement().satisfies(window -> {
            assertThat(window.errors()).isEmpty();
            assertThat(window.latency()).isEmpty();
            assertThat(window.streams()).isEqualTo(1);
            assertThat(window.firstByte())
                    .hasValueSatisfying(times -> assertThat(times.getTotalCount()).isEqualTo(1));
        });
    }

    /** With a horizon of one second. */
    private static WindowSettings settings() {
        WindowSettings usual = WindowSettings.DEFAULT;
        return new WindowSettings(usual.length(), usual.grace(), usual.settling(), Duration.ofSeconds(1),
                usual.longestRequest(), usual.idleInstance(), usual.bounds());
    }
}
