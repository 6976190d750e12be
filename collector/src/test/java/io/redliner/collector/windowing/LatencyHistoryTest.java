// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a collector remembers of a service that nobody tests, and hands over when a run begins. */
class LatencyHistoryTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String FAST = "10.0.0.1:80";

    private static final String SLOW = "10.0.0.2:80";

    private static final RunWindowSettings RUN = new RunWindowSettings(Duration.ofMillis(200), List.of());

    private final WindowAggregator windows = new WindowAggregator(WindowSettings.DEFAULT,
            new WindowMetrics(new SimpleMeterRegistry()));

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    private final List<WindowCounts> closed = new ArrayList<>();

    private int second;

    @Test
    void the_seconds_before_a_run_are_in_its_first_window_and_once_more() {
        serve(3);
        windows.run("shop", RUN, now());
        serve(5);

        assertThat(closed).as("a window of a sample would say less than none")
                .noneMatch(window -> window.summary() && window.completed() > 0);
        assertThat(windows.metrics().received(RecordKind.END)).isEqualTo(windows.metrics().published(RecordKind.END)
                + windows.pending(RecordKind.END));
        List<WindowCounts> handedOver = closed.stream().filter(window -> window.history().isPresent()).toList();
        assertThat(handedOver).extracting(WindowCounts::instance).containsExactly(FAST, SLOW, FAST, SLOW);
        assertThat(handedOver.get(0).start()).isEqualTo(at(4));
        assertThat(handedOver.get(2).start()).isEqualTo(at(6));
        assertThat(handedOver.get(0).history()).isEqualTo(handedOver.get(2).history());
        LatencyHistory fast = handedOver.get(0).history().orElseThrow();
        assertThat(fast.start()).isEqualTo(NOON);
        assertThat(fast.partLength()).isEqualTo(Duration.ofSeconds(1));
        assertThat(fast.parts()).as("also of the second in which it began").hasSize(4).allSatisfy(part -> {
            assertThat(part.requests()).isEqualTo(2);
            assertThat(part.lnMean()).isCloseTo((Math.log(10_000) + Math.log(40_000)) / 2, within(1e-5));
            assertThat(part.lnVariance()).isCloseTo(Math.pow(Math.log(4) / 2, 2), within(1e-5));
        });
        LatencyHistory slow = handedOver.get(1).history().orElseThrow();
        assertThat(slow.parts().getFirst().lnMean()).isCloseTo(Math.log(90_000), within(1e-5));
    }

    @Test
    void proxies_that_report_each_request_have_windows_as_well() {
        for (int number = 0; number < 3; number++) {
            Instant now = now().plusMillis(500);
            windows.accept(stream, List.of(Requests.started("a" + number, FAST, now.minusMillis(10)),
                    ended("a" + number, FAST, now, 10)), now);
            second++;
            closed.addAll(windows.closeDue(now()));
        }
        windows.run("shop", RUN, now());
        serve(2);

        assertThat(closed).filteredOn(WindowCounts::summary).filteredOn(window -> window.completed() == 1).hasSize(3)
                .allMatch(window -> window.history().isEmpty());
        assertThat(histories().getFirst().parts()).extracting(LatencyHistory.Part::requests).startsWith(1L, 1L, 1L);
    }

    @Test
    void a_request_that_takes_long_leaves_nothing_in_flight() {
        windows.accept(stream, List.of(Requests.started("long", FAST, now())), now());
        second = 30;
        windows.accept(stream, List.of(ended("long", FAST, now(), 30_000)), now());

        assertThat(windows.inFlight()).isZero();
    }

    @Test
    void what_a_user_or_a_stream_takes_is_not_the_instances_time() {
        Instant now = now().plusMillis(500);
        windows.accept(stream, List.of(ended("a", FAST, now, 10), ended("b", FAST, now, 9_000).cancelled(),
                ended("c", FAST, now, 9_000).stream(true), ended("d", FAST, now, 9_000).attempts(2)), now);
        second = 1;
        windows.run("shop", RUN, now());
        serve(3);

        LatencyHistory.Part part = histories().getFirst().parts().getFirst();
        assertThat(part.requests()).isEqualTo(1);
        assertThat(part.lnMean()).isCloseTo(Math.log(10_000), within(1e-5));
    }

    @Test
    void an_instance_without_requests_for_two_minutes_is_forgotten() {
        serve(2);
        second = 140;
        windows.accept(stream, List.of(ended("x", SLOW, now(), 90)), now());
        closed.addAll(windows.closeDue(at(141)));
        windows.run("shop", RUN, at(141));
        serve(4);

        assertThat(closed).filteredOn(window -> window.instance().equals(FAST)).filteredOn(window -> window.history()
                .isPresent()).allMatch(window -> window.history().orElseThrow().start().isAfter(at(100)));
    }

    @Test
    void only_the_last_two_minutes_are_remembered() {
        serve(200);
        windows.run("shop", RUN, now());
        serve(2);

        assertThat(histories().getFirst().parts()).hasSize(120).allMatch(part -> part.requests() == 2);
        assertThat(histories().getFirst().start()).isEqualTo(at(81));
    }

    @Test
    void nothing_is_known_of_a_time_in_which_the_collector_could_not_measure() {
        serve(1);
        windows.impair(DegradationReason.PAUSE, at(1), at(2).minusMillis(1));
        serve(3);
        second += 2;
        serve(1);
        windows.run("shop", RUN, now());
        serve(2);

        assertThat(histories().getFirst().parts()).extracting(LatencyHistory.Part::requests).containsExactly(2L, 0L,
                2L, 2L, 0L, 0L, 2L, 2L);
    }

    @Test
    void what_a_run_did_is_no_history_of_the_next() {
        serve(3);
        windows.run("shop", RUN, now());
        serve(4);
        windows.noRun("shop", now());
        serve(2);
        closed.clear();
        windows.noRun("shop", now());
        windows.run("shop", RUN, now());
        serve(2);

        assertThat(histories().getFirst().parts().size()).as("seconds since the run ended").isBetween(2, 3);
    }

    @Test
    void a_service_without_requests_before_the_run_has_the_history_of_the_second_in_which_it_began() {
        windows.run("shop", RUN, now());
        serve(6);

        assertThat(histories()).hasSize(4).extracting(LatencyHistory::parts).allMatch(parts -> parts.size() == 1);
    }

    private List<LatencyHistory> histories() {
        return closed.stream().flatMap(window -> window.history().stream()).toList();
    }

    private Instant now() {
        return at(second);
    }

    private static Instant at(int seconds) {
        return NOON.plusSeconds(seconds);
    }

    /** Two requests a second at one instance, one at the other. */
    private void serve(int seconds) {
        for (int end = second + seconds; second < end; second++) {
            Instant now = now().plusMillis(500);
            windows.accept(stream, List.of(ended("a", FAST, now, 10), ended("b", FAST, now, 40),
                    ended("c", SLOW, now, 90)), now);
            closed.addAll(windows.closeDue(at(second + 1)));
        }
    }

    private static RequestRecord ended(String id, String instance, Instant at, int millis) {
        return Requests.ended(id, instance, at, Duration.ofMillis(millis), null);
    }
}
