// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that last for as long as their users like: WebSockets, server-sent events, gRPC streams. */
class LongStreamsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String SUT = "10.0.0.1:80";

    private static final String PEER = "10.0.0.2:80";

    private static final Duration LIMIT = Duration.ofMillis(200);

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    @BeforeEach
    void watchForSlowRequests() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of(LIMIT)), NOON);
    }

    @Test
    void a_stream_is_neither_in_flight_nor_overdue_and_has_no_latency() {
        accept(start("a", SUT, 100).stream(true), 100);
        assertThat(windows.inFlight()).isZero();
        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.started()).isEqualTo(1);
            assertThat(window.inFlight()).isZero();
            assertThat(window.overdue()).containsExactly(new OverdueCount(LIMIT, 0, 0));
        });

        accept(end("a", SUT, 1_900, 1_800).status(101).stream(true).firstByte(30_000), 1_900);
        assertThat(sealAt(2_250)).singleElement().satisfies(window -> {
            assertThat(window.firstByte()).hasValueSatisfying(times -> {
                assertThat(times.getTotalCount()).isEqualTo(1);
                assertThat(times.getMaxValue()).isBetween(30_000L, 30_050L);
            });
            assertThat(window.completed()).isEqualTo(1);
            assertThat(window.streams()).isEqualTo(1);
            assertThat(window.errors()).isEmpty();
            assertThat(window.latency()).isEmpty();
            assertThat(window.overdue()).containsExactly(new OverdueCount(LIMIT, 0, 0));
        });
    }

    @Test
    void a_stream_that_nobody_asked_for_is_in_flight_until_it_ends_and_what_was_overdue_stays_so() {
        accept(start("a", SUT, 100), 100);
        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.inFlight()).isEqualTo(1);
            assertThat(window.overdue()).containsExactly(new OverdueCount(LIMIT, 1, 0));
        });

        accept(end("a", SUT, 1_900, 1_800).status(200).stream(true), 1_900);
        assertThat(sealAt(2_250)).singleElement().satisfies(window -> {
            assertThat(window.streams()).isEqualTo(1);
            assertThat(window.latency()).isEmpty();
            assertThat(window.overdue()).as("another request would be taken for a quick one")
                    .containsExactly(new OverdueCount(LIMIT, 0, 0));
        });
    }

    @Test
    void a_user_who_leaves_a_stream_ends_it_and_one_who_leaves_before_an_answer_cancels_it() {
        accept(end("a", SUT, 100, 100).status(101).stream(true).cancelled(), 100);
        accept(end("b", SUT, 100, 100).stream(true).cancelled(), 100);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.completed()).isEqualTo(1);
            assertThat(window.streams()).isEqualTo(1);
            assertThat(window.cancelled()).isEqualTo(1);
            assertThat(window.unanswered()).as("a stream may be silent for long").isEmpty();
        });
    }

    @Test
    void a_stream_that_ends_with_an_error_has_failed() {
        accept(end("a", SUT, 100, 100).status(200).grpcStatus(14).stream(true), 100);
        accept(end("b", SUT, 100, 100).status(200).failed(RequestError.RESET).stream(true), 100);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.errors()).isEqualTo(Map.of(RequestError.SERVER, 1L, RequestError.RESET, 1L));
            assertThat(window.completed()).isEqualTo(2);
            assertThat(window.streams()).isEqualTo(2);
        });
    }

    @Test
    void a_stream_that_the_instance_did_not_grant_is_an_ordinary_request() {
        accept(start("a", SUT, 100).stream(true), 100);
        accept(end("a", SUT, 400, 300).status(500), 400);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.errors()).isEqualTo(Map.of(RequestError.SERVER, 1L));
            assertThat(window.streams()).isZero();
            assertThat(window.latency().orElseThrow().getTotalCount()).isEqualTo(1);
        });
    }

    @Test
    void a_service_names_the_paths_of_its_streams() {
        windows.classifyBy("shop",
                new RequestClassifier(ErrorStatuses.DEFAULT, List.of("/shop.Cart/Watch", "/feed/")));
        accept(start("a", SUT, 100).path("/shop.Cart/Watch"), 100);
        accept(start("b", SUT, 100).path("/feed/1?x=y"), 100);
        accept(start("c", SUT, 100).path("/feeds"), 100);
        assertThat(windows.inFlight()).isEqualTo(1);

        accept(end("a", SUT, 900, 800).path("/shop.Cart/Watch").status(200).grpcStatus(0), 900);
        accept(end("c", SUT, 900, 800).path("/feeds").status(200), 900);
        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.completed()).isEqualTo(2);
            assertThat(window.streams()).isEqualTo(1);
            assertThat(window.latency().orElseThrow().getTotalCount()).isEqualTo(1);
        });
    }

    @Test
    void a_stream_that_is_tried_again_failed_at_the_first_instance() {
        accept(start("a", SUT, 100).stream(true), 100);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(50), 503), 150);
        accept(start("a", PEER, 200).stream(true), 200);
        accept(end("a", PEER, 800, 700).attempts(2).status(101).stream(true), 800);

        List<WindowCounts> sealed = sealAt(1_250);
        assertThat(sealed).filteredOn(window -> window.instance().equals(SUT)).singleElement().satisfies(
                window -> assertThat(window.errors()).isEqualTo(Map.of(RequestError.SERVER, 1L)));
        assertThat(sealed).filteredOn(window -> window.instance().equals(PEER)).singleElement().satisfies(window -> {
            assertThat(window.streams()).isEqualTo(1);
            assertThat(window.latency()).isEmpty();
        });
    }

    private static RequestRecord start(String id, String instance, long millis) {
        return Requests.started(id, instance, at(millis));
    }

    private static RequestRecord end(String id, String instance, long millis, long latencyMillis) {
        return Requests.ended(id, instance, at(millis), Duration.ofMillis(latencyMillis), null);
    }

    private void accept(RequestRecord report, long millis) {
        windows.accept(stream, List.of(report), at(millis));
    }

    private List<WindowCounts> sealAt(long millis) {
        return windows.closeDue(at(millis));
    }

    private static Instant at(long millis) {
        return NOON.plusMillis(millis);
    }
}
