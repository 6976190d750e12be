// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Noise where the SUT has one peer. */
class OnlyPeerTest {

    private static final long LIMIT_MICROS = 100_000;

    private static final double ALLOWED = 0.01;

    /** Requests of a window: 400 requests/s. */
    private static final int MANY = 80;

    private final Random random = new Random(1);

    private final PeerWatch watch = new PeerWatch(PeerStats.LENGTH, PeerProfiles.NONE);

    @Test
    void it_stops_nothing_and_is_seen_when_it_gets_slow() {
        usual();
        int quiet = 0;
        for (int i = 0; i < 600 / PeerStats.LENGTH; i++) {
            assertThat(see(MANY, 1)).isZero();
            quiet += watch.isSomewhatSlower() ? 1 : 0;
        }
        int slower = 0;
        for (int i = 0; i < 30 / PeerStats.LENGTH; i++) {
            assertThat(see(MANY, 1.15)).isZero();
            slower += watch.isSomewhatSlower() ? 1 : 0;
        }

        assertThat(watch.knows(1)).isTrue();
        assertThat(watch.knows(2)).isFalse();
        assertThat(quiet * PeerStats.LENGTH).isLessThan(15);
        assertThat(slower * PeerStats.LENGTH).isGreaterThan(20);
    }

    @Test
    void one_whose_speed_wanders_is_slower_only_beyond_that() {
        wander(60, 1);

        assertThat(wander(600, 1)).isLessThan(0.03 * 600);
        assertThat(wander(30, 1.4)).isGreaterThan(0.6 * 30);
    }

    /** Returns for how long the only peer was somewhat slower, in seconds; each two seconds it has another speed. */
    private double wander(int seconds, double slower) {
        int windows = 0;
        double speed = 1;
        for (int i = 0; i < seconds / PeerStats.LENGTH; i++) {
            speed = i % 10 == 0 ? Math.exp(0.06 * random.nextGaussian()) : speed;
            see(MANY, slower * speed);
            windows += watch.isSomewhatSlower() ? 1 : 0;
        }
        return windows * PeerStats.LENGTH;
    }

    @Test
    void one_that_gets_its_load_back_is_no_slower_than_it_was_with_it() {
        usual();

        assertThat(slower(60, MANY / 2, 0.8)).as("the test takes half of its load").isZero();
        assertThat(slower(60, MANY, 1)).as("and gives it back").isLessThan(3);
        assertThat(slower(60, MANY / 2, 0.8)).isZero();
        assertThat(slower(30, MANY / 2, 1.4 * 0.8)).as("noise with half of the load").isGreaterThan(20);
        assertThat(slower(30, MANY, 1.2)).as("noise with all of it").isGreaterThan(20);
    }

    /** Returns for how long the only peer was somewhat slower, in seconds, with so many requests per window. */
    private double slower(int seconds, int requests, double slower) {
        int windows = 0;
        for (int i = 0; i < seconds / PeerStats.LENGTH; i++) {
            see(requests, slower);
            windows += watch.isSomewhatSlower() ? 1 : 0;
        }
        return windows * PeerStats.LENGTH;
    }

    @Test
    void one_that_is_slow_in_short_blips_is_seen() {
        usual();
        int slower = 0;
        for (int i = 0; i < 60 / PeerStats.LENGTH; i++) {
            see(MANY, i % 20 < 3 ? 1.8 : 1);
            slower += watch.isSomewhatSlower() ? 1 : 0;
        }

        assertThat(slower * PeerStats.LENGTH).isGreaterThan(0.05 * 60);
    }

    private void usual() {
        for (int i = 0; i < 60 / PeerStats.LENGTH; i++) {
            assertThat(see(MANY, 1)).as("before it knows what is usual").isZero();
        }
    }

    private int see(int requests, double slower) {
        return watch.see(new TreeMap<>(Map.of("a", PeerStats.of(random, requests, slower))), LIMIT_MICROS, ALLOWED);
    }
}
