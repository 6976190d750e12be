// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.kafka.AnalyzerProcessor.StreamTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StreamTimeTest {

    private final StreamTime time = new StreamTime(Duration.ofMillis(50));

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private void upToDate() {
        for (long now = 1_000; now <= 2_000; now += 50) {
            assertThat(time.read(at(now), now - 5)).isEqualTo(at(now));
            assertThat(time.tick(at(now))).isEqualTo(at(now));
        }
    }

    @Test
    void is_the_clocks_while_what_comes_is_read_at_once() {
        upToDate();
        assertThat(time.behindSeconds()).isZero();
    }

    @Test
    void is_that_of_the_newest_observation_while_there_is_more_to_read() {
        upToDate();
        assertThat(time.read(at(2_900), 2_000)).isEqualTo(at(2_005));
        assertThat(time.tick(at(2_910))).isEqualTo(at(2_015));
        assertThat(time.behindSeconds()).isEqualTo(0.895);
        assertThat(time.read(at(3_000), 2_100)).isEqualTo(at(2_105));
        assertThat(time.at(at(3_001))).isEqualTo(at(2_106));
    }

    @Test
    void catches_up_when_nothing_more_is_there() {
        upToDate();
        time.read(at(2_900), 2_000);
        long now = 2_900;
        for (int tick = 0; tick < 40; tick++, now += 50) {
            time.tick(at(now));
        }
        assertThat(time.tick(at(now))).isEqualTo(at(now));
        assertThat(time.behindSeconds()).isZero();
    }

    @Test
    void a_pause_of_the_process_is_no_silence() {
        upToDate();
        // The tick comes before what was sent meanwhile is read.
        assertThat(time.tick(at(7_000))).isEqualTo(at(2_100));
        assertThat(time.read(at(7_001), 2_150)).isEqualTo(at(2_155));
    }

    @Test
    void a_clock_of_the_brokers_that_differs_is_no_lag() {
        for (long now = 1_000; now <= 2_000; now += 50) {
            assertThat(time.read(at(now), now + 60_000)).isEqualTo(at(now));
        }
        assertThat(time.read(at(2_300), 62_000)).isEqualTo(at(2_000));
    }

    @Test
    void a_clock_that_was_set_is_no_lag_for_longer_than_two_minutes() {
        upToDate();
        long step = 3_000;
        Instant last = Instant.MIN;
        for (long now = 2_050; now <= 130_000; now += 50) {
            last = time.read(at(now + step), now - 5);
        }
        assertThat(last).isEqualTo(at(130_000 + step));
    }

    @Test
    void never_goes_back() {
        upToDate();
        assertThat(time.read(at(2_010), 1_500)).isEqualTo(at(2_000));
        assertThat(time.tick(at(1_000))).isEqualTo(at(2_000));
    }
}
