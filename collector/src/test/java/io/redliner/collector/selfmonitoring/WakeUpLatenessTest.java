// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.selfmonitoring.SelfMonitor.WakeUpLateness;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WakeUpLatenessTest {

    /** A monotonic clock may begin anywhere, also just before it overflows. */
    private long now = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

    private long collectionMillis = 4_711;

    private final WakeUpLateness lateness = new WakeUpLateness(now, collectionMillis);

    @Test
    void the_jitter_of_a_quiet_machine_is_nothing() {
        var random = new Random(1);
        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < 95; i++) {
                // Mostly 0.1 ms; some milliseconds when another thread has just begun its slice.
                wakeAfter(10 + (random.nextInt(20) == 0 ? 8 * random.nextDouble() : 0.1));
            }
            assertThat(take()).isZero();
        }
    }

    @Test
    void the_time_for_which_the_machine_stood_still_is_lost() {
        for (int i = 0; i < 50; i++) {
            wakeAfter(10);
        }
        wakeAfter(10 + 200);
        for (int i = 0; i < 29; i++) {
            wakeAfter(10);
        }

        assertThat(take()).isEqualTo(0.2, within(1e-9));
        wakeAfter(10);
        assertThat(take()).as("a standstill counts once").isZero();
    }

    @Test
    void a_standstill_that_lasts_counts_in_each_look_as_far_as_it_went() {
        pass(10 + 90);
        assertThat(take()).isEqualTo(0.9, within(1e-9));
        pass(100);
        assertThat(take()).isEqualTo(1, within(1e-9));
        pass(50);
        lateness.wokeUp(now, collectionMillis);
        pass(50);
        assertThat(take()).isEqualTo((50 + 40) / 100.0, within(1e-9));
    }

    @Test
    void a_garbage_collection_of_the_collector_is_no_standstill_of_its_machine() {
        collectionMillis += 150;
        wakeAfter(10 + 152);
        assertThat(take()).isZero();

        collectionMillis += 50;
        wakeAfter(10 + 152);
        assertThat(take()).as("the rest is").isEqualTo(102 / 162.0, within(1e-9));
    }

    @Test
    void a_look_between_a_garbage_collection_and_the_wake_up_after_it_changes_nothing() {
        collectionMillis += 150;
        pass(10 + 151);
        assertThat(take()).isZero();
        pass(1);
        lateness.wokeUp(now, collectionMillis);

        assertThat(take()).isZero();
    }

    @Test
    void without_time_there_is_no_part_of_it() {
        assertThat(take()).isNaN();
    }

    private double take() {
        return lateness.take(now, collectionMillis);
    }

    private void wakeAfter(double millis) {
        pass(millis);
        lateness.wokeUp(now, collectionMillis);
    }

    private void pass(double millis) {
        now += Math.round(1e6 * millis);
    }
}
