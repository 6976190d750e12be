// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class AlarmDetectorTest {

    private static final SearchAdvice HOLD = new SearchAdvice(SearchAdvice.Action.HOLD, 300,
            SearchAdvice.Phase.CONFIRMING, "", 1,
            Optional.empty());

    private SutSignals signals = SutSignals.NOTHING;

    private AlarmDetector watch = AlarmDetector.START;

    @Test
    void what_the_sla_allows_is_never_an_alarm() {
        for (int second = 0; second < 600; second++) {
            see(Windows.of(300, 3, 5, 0.5), false);
        }

        assertThat(watch.alarm()).isEmpty();
        assertThat(watch.largestSum()).isLessThan(3);
    }

    @Test
    void evidence_adds_up_over_windows_and_comes_down_again_in_healthy_ones() {
        see(Windows.of(300, 8, 5, 0.5), false);
        double first = watch.largestSum();
        see(Windows.of(300, 8, 5, 0.5), false);
        double second = watch.largestSum();
        see(Windows.of(300, 0, 5, 0.5), false);

        assertThat(first).isPositive();
        assertThat(second).isGreaterThan(first);
        assertThat(watch.largestSum()).isLessThan(second);
    }

    @Test
    void an_overload_is_noticed_in_its_first_window_and_later_near_the_knee() {
        see(Windows.of(300, 30, 5, 0.5), false);
        assertThat(watch.alarm().orElseThrow().limits()).containsExactly("latency.p99#0");
        assertThat(watch.alarm().orElseThrow().breach().words()).contains("30 of 300");

        watch = AlarmDetector.START;
        see(Windows.of(300, 30, 5, 0.5), true);
        assertThat(watch.alarm()).as("near the knee, some are expected").isEmpty();
        see(Windows.of(300, 200, 5, 0.5), true);
        assertThat(watch.alarm()).isPresent();
    }

    @Test
    void a_queue_that_will_make_users_late_is_an_alarm_before_anybody_is() {
        see(Windows.of(300, 0, 5, 0.5), false);
        see(Windows.of(300, 0, 60, 0.5), false);
        assertThat(watch.alarm()).as("one snapshot of 60 in flight: 200 ms at 300/s").isEmpty();
        see(Windows.of(300, 0, 60, 0.5), false);

        var alarm = watch.alarm().orElseThrow();
        assertThat(alarm.breach().words()).contains("60 requests queue");
        assertThat(alarm.doomed()).as("30 of them are in time").isBetween(25.0, 35.0);
    }

    @Test
    void few_requests_in_flight_are_no_queue() {
        for (int second = 0; second < 10; second++) {
            see(Windows.of(10, 0, 15, 0.5), false);
        }

        assertThat(watch.alarm()).isEmpty();
    }

    @Test
    void a_level_has_to_be_broken_twice_in_a_row() {
        see(Windows.of(300, 0, 5, 0.9), true);
        see(Windows.of(300, 0, 5, 0.7), true);
        see(Windows.of(300, 0, 5, 0.9), true);
        assertThat(watch.alarm()).isEmpty();
        see(Windows.of(300, 0, 5, 0.9), true);

        var alarm = watch.alarm().orElseThrow();
        assertThat(alarm.breach().rule()).isEqualTo("cpu");
        assertThat(alarm.breach().value()).hasValue(0.9);
        assertThat(alarm.limits()).as("a level is no proportion").isEmpty();
    }

    private void see(SearchInput window, boolean nearKnee) {
        signals = signals.next(window, HOLD, 0.01);
        watch = watch.next(window, signals, SearchSettings.Alarm.DEFAULT, nearKnee);
    }
}
