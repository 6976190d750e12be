// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import io.redliner.collector.windowing.WindowMetrics.InFlightEvictionReason;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.AbstractListAssert;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Requests that a proxy sends to several instances, one after the other or beside each other. */
class AttemptsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String SUT = "10.0.0.1:80";

    private static final String PEER = "10.0.0.2:80";

    private static final Duration LIMIT = Duration.ofMillis(200);

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    @Test
    void a_retried_request_fails_at_the_instance_that_failed_and_succeeds_at_the_other() {
        start("a", SUT, 100);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(150), 503), 250);
        start("a", PEER, 300);
        accept(Requests.attempted("a", PEER, at(300), Duration.ofMillis(20), 200), 320);
        accept(end("a", PEER, 320, 220).attempts(2).status(200), 320);

        assertCounted(sealAt(1_250)).containsExactly(tuple(SUT, 1L, 1L, Map.of(RequestError.SERVER, 1L), 150L, 0L),
                tuple(PEER, 1L, 1L, Map.of(), 20L, 0L));
        assertThat(windows.metrics().dropped(RecordKind.END, RecordDropReason.RETRIED)).isEqualTo(1);
        assertEveryRecordIsAccountedFor();
    }

    @Test
    void an_attempt_that_ended_is_not_in_flight_while_the_request_goes_on_elsewhere() {
        start("a", SUT, 100);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(150), 503), 250);
        start("a", PEER, 300);

        assertThat(sealAt(1_250)).extracting(WindowCounts::instance, WindowCounts::started, WindowCounts::inFlight)
                .containsExactly(tuple(SUT, 1L, 0L), tuple(PEER, 1L, 1L));
    }

    @Test
    void an_instance_that_takes_no_connection_has_failed_although_nothing_started_there() {
        start("z", SUT, 50);
        accept(end("z", SUT, 60, 10).status(200), 60);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(10), 0).failed(RequestError.CONNECT), 110);
        start("a", PEER, 120);
        accept(Requests.attempted("a", PEER, at(120), Duration.ofMillis(20), 200), 140);
        accept(end("a", PEER, 140, 40).attempts(2).status(200), 140);

        assertCounted(sealAt(1_250)).containsExactly(tuple(SUT, 1L, 2L, Map.of(RequestError.CONNECT, 1L), 10L, 0L),
                tuple(PEER, 1L, 1L, Map.of(), 20L, 0L));
    }

    @Test
    void a_hedged_request_counts_at_both_instances_and_the_one_that_the_proxy_gave_up_timed_out() {
        start("a", SUT, 100);
        start("a", PEER, 400);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(330), 0), 430);
        accept(Requests.attempted("a", PEER, at(400), Duration.ofMillis(30), 200), 430);
        accept(end("a", PEER, 430, 330).attempts(2).status(200), 430);

        assertCounted(sealAt(1_250)).containsExactly(tuple(SUT, 1L, 1L, Map.of(RequestError.TIMEOUT, 1L), 330L, 0L),
                tuple(PEER, 1L, 1L, Map.of(), 30L, 0L));
    }

    @Test
    void the_last_attempt_has_its_own_time_also_when_only_the_end_of_the_request_tells_of_it() {
        start("a", SUT, 100);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(300), 503), 400);
        start("a", PEER, 450);
        accept(end("a", PEER, 900, 800).attempts(2).failed(RequestError.TIMEOUT).status(504), 900);

        assertCounted(sealAt(1_250)).containsExactly(tuple(SUT, 1L, 1L, Map.of(RequestError.SERVER, 1L), 300L, 0L),
                tuple(PEER, 1L, 1L, Map.of(RequestError.TIMEOUT, 1L), 450L, 0L));
        assertEveryRecordIsAccountedFor();
    }

    @Test
    void an_attempt_without_any_report_is_forgotten_when_the_request_is_over() {
        start("a", SUT, 100);
        start("a", PEER, 300);
        accept(end("a", PEER, 320, 220).attempts(2).status(200), 320);

        assertCounted(sealAt(1_250)).containsExactly(tuple(SUT, 1L, 0L, Map.of(), 0L, 0L),
                tuple(PEER, 1L, 1L, Map.of(), 20L, 0L));
        assertThat(windows.metrics().forgotten(InFlightEvictionReason.SUPERSEDED)).isEqualTo(1);
    }

    @Test
    void requests_that_share_their_id_with_others_in_flight_are_counted() {
        start("propagated", SUT, 100);
        start("propagated", PEER, 101);
        start("propagated", SUT, 102);
        start("own", SUT, 103);
        for (String id : List.of("own", "propagated", "propagated")) {
            accept(end(id, SUT, 150, 50).status(200), 150);
        }
        accept(end("propagated", PEER, 160, 50).status(200), 160);

        assertThat(sealAt(1_250))
                .extracting(WindowCounts::instance, window -> window.gauges().get("request.ids.shared"))
                .containsExactly(tuple(SUT, 2.0 / 3), tuple(PEER, 0.0));
    }

    @Test
    void attempts_of_one_request_share_its_id_rightly() {
        start("a", SUT, 100);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(150), 503), 250);
        start("a", PEER, 300);
        accept(end("a", PEER, 320, 220).attempts(2).status(200), 320);

        assertThat(sealAt(1_250)).extracting(window -> window.gauges().get("request.ids.shared")).containsOnly(0.0);
    }

    @Test
    void calls_with_one_id_at_the_same_time_are_all_in_flight() {
        for (String instance : List.of(SUT, SUT, PEER, PEER, PEER)) {
            start("propagated", instance, 100);
        }
        accept(Requests.attempted("propagated", PEER, at(100), Duration.ofMillis(50), 200), 150);
        accept(end("propagated", PEER, 150, 50).status(200), 150);

        assertCounted(sealAt(1_250)).containsExactly(tuple(SUT, 2L, 0L, Map.of(), 0L, 2L),
                tuple(PEER, 3L, 1L, Map.of(), 50L, 2L));
    }

    @Test
    void an_attempt_that_ended_long_before_its_request_counts_in_a_window_that_is_open() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of(LIMIT)), NOON);
        start("a", SUT, 100);
        accept(Requests.attempted("a", SUT, at(100), Duration.ofMillis(700), 503), 800);
        start("a", PEER, 850);
        assertThat(sealAt(1_250)).filteredOn(window -> window.instance().equals(SUT)).singleElement()
                .returns(0L, WindowCounts::completed);
        accept(end("a", PEER, 1_900, 1_800).attempts(2).status(200), 1_900);

        assertCounted(sealAt(2_250)).containsExactly(tuple(SUT, 0L, 1L, Map.of(RequestError.SERVER, 1L), 700L, 0L),
                tuple(PEER, 0L, 1L, Map.of(), 1_050L, 0L));
        assertEveryRecordIsAccountedFor();
    }

    @Test
    void a_user_who_hangs_up_before_an_answer_came_is_cancelled_and_no_completion() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of(LIMIT)), NOON);
        start("early", SUT, 100);
        accept(end("early", SUT, 200, 100).cancelled(), 200);
        start("late", SUT, 600);
        sealAt(1_250);
        accept(end("late", SUT, 1_300, 700).cancelled(), 1_300);

        assertThat(sealAt(2_250)).singleElement().satisfies(window -> {
            assertThat(window.completed()).isZero();
            assertThat(window.latency()).isEmpty();
            assertThat(window.cancelled()).isEqualTo(1);
            assertThat(window.unanswered().orElseThrow().getMaxValue()).isBetween(700_000L, 700_999L);
            assertThat(window.overdue()).containsExactly(new OverdueCount(LIMIT, 0, 1));
        });
    }

    @Test
    void a_user_who_leaves_with_half_an_answer_is_cancelled_and_what_hung_stays_overdue() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of(LIMIT)), NOON);
        start("a", SUT, 600);
        sealAt(1_250);
        accept(end("a", SUT, 1_300, 700).cancelled().status(200), 1_300);

        assertThat(sealAt(2_250)).singleElement().satisfies(window -> {
            assertThat(window.completed()).isZero();
            assertThat(window.cancelled()).isEqualTo(1);
            assertThat(window.unanswered()).isEmpty();
            assertThat(window.overdue()).containsExactly(new OverdueCount(LIMIT, 0, 0));
        });
    }

    @Test
    void a_user_who_leaves_with_an_error_has_seen_it() {
        start("a", SUT, 100);
        accept(end("a", SUT, 200, 100).cancelled().status(500), 200);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.errors()).containsExactly(Map.entry(RequestError.SERVER, 1L));
            assertThat(window.cancelled()).isZero();
        });
    }

    @Test
    void a_server_that_sheds_load_fails_unless_its_service_says_otherwise() {
        accept(end("a", SUT, 200, 1).status(429), 200);
        accept(end("b", SUT, 200, 1).status(404), 200);
        assertThat(sealAt(1_250)).singleElement().extracting(WindowCounts::errors).isEqualTo(
                Map.of(RequestError.SERVER, 1L));

        windows.classifyBy("shop", new RequestClassifier(
                new ErrorStatuses(List.of(new ErrorStatuses.Range(404, 404)), Set.of(5)), List.of()));
        accept(end("c", SUT, 1_400, 1).status(429), 1_400);
        accept(end("d", SUT, 1_400, 1).status(404), 1_400);
        accept(end("e", SUT, 1_400, 1).status(200).grpcStatus(5), 1_400);
        accept(end("f", SUT, 1_400, 1).status(200).grpcStatus(8), 1_400);
        assertThat(sealAt(2_250)).singleElement().extracting(WindowCounts::errors).isEqualTo(
                Map.of(RequestError.SERVER, 2L));
    }

    private static AbstractListAssert<?, List<? extends Tuple>, Tuple, ?> assertCounted(List<WindowCounts> sealed) {
        return assertThat(sealed).extracting(WindowCounts::instance, WindowCounts::started, WindowCounts::completed,
                WindowCounts::errors,
                window -> window.latency().map(latency -> latency.getMaxValue() / 1_000).orElse(0L),
                WindowCounts::inFlight);
    }

    private void assertEveryRecordIsAccountedFor() {
        for (RecordKind kind : RecordKind.values()) {
            assertThat(windows.metrics().received(kind)).as("%s", kind).isEqualTo(
                    windows.metrics().published(kind) + windows.metrics().dropped(kind) + windows.pending(kind));
        }
    }

    private void start(String id, String instance, long millis) {
        accept(Requests.started(id, instance, at(millis)), millis);
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
