// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerQueueTest {

    private static final Duration TEN_MILLIS = Duration.ofMillis(10);

    @Test
    void serves_as_many_at_a_time_as_it_has_workers_and_the_others_in_order() {
        WorkerQueue queue = new WorkerQueue(new InstanceModel(2, TEN_MILLIS, 0, 10), new SplittableRandom(1));

        assertThat(queue.arrive(0)).hasValue(10_000_000);
        assertThat(queue.arrive(1_000_000)).hasValue(11_000_000);
        assertThat(queue.arrive(2_000_000)).hasValue(20_000_000);
        assertThat(queue.waiting(2_000_000)).isEqualTo(1);
        assertThat(queue.busy(2_000_000)).isEqualTo(2);
        assertThat(queue.waiting(10_000_000)).isZero();
    }

    @Test
    void refuses_what_its_queue_cannot_hold_and_takes_requests_again_when_it_has_drained() {
        WorkerQueue queue = new WorkerQueue(new InstanceModel(1, TEN_MILLIS, 0, 1), new SplittableRandom(1));

        assertThat(queue.arrive(0)).isPresent();
        assertThat(queue.arrive(0)).hasValue(20_000_000);
        assertThat(queue.arrive(0)).isEmpty();
        assertThat(queue.arrive(10_000_000)).hasValue(30_000_000);
    }

    @Test
    void without_room_for_waiting_it_still_uses_an_idle_worker() {
        WorkerQueue queue = new WorkerQueue(new InstanceModel(1, TEN_MILLIS, 0, 0), new SplittableRandom(1));

        assertThat(queue.arrive(0)).isPresent();
        assertThat(queue.arrive(5_000_000)).isEmpty();
        assertThat(queue.arrive(10_000_000)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"0.0, 50", "0.5, 50", "0.0, 80", "0.5, 80"})
    void one_worker_makes_requests_wait_as_long_as_pollaczek_and_khinchine_say(double sigma, double rate) {
        SplittableRandom random = new SplittableRandom(7);
        WorkerQueue queue = new WorkerQueue(new InstanceModel(1, TEN_MILLIS, sigma, Integer.MAX_VALUE), random.split());
        double now = 0;
        double sojourn = 0;
        int requests = 2_000_000;

        for (int request = 0; request < requests; request++) {
            now += random.nextExponential() / rate * 1e9;
            OptionalLong done = queue.arrive((long) now);
            sojourn += (done.orElseThrow() - now) / 1e9;
        }

        double mean = 0.010;
        double meanSquare = mean * mean * Math.exp(sigma * sigma);
        double expected = mean + rate * meanSquare / (2 * (1 - rate * mean));
        assertThat(sojourn / requests).isCloseTo(expected, within(0.02 * expected));
    }
}
