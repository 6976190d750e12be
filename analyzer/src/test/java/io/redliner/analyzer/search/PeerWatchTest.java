// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.redliner.sla.Cancelled;
import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeerWatchTest {

    private static final double LENGTH = PeerStats.LENGTH;

    private static final long LIMIT_MICROS = 100_000;

    private static final double ALLOWED = 0.01;

    private final Random random = new Random(1);

    private PeerWatch watch = new PeerWatch(LENGTH, PeerProfiles.NONE);

    @Test
    void quiet_peers_are_called_noisy_less_than_once_in_five_minutes() {
        usual(3);
        int begun = 0;
        boolean before = false;
        for (int i = 0; i < 60 * 60 / LENGTH; i++) {
            boolean noisy = see(1, 1, 1) > 0;
            begun += noisy && !before ? 1 : 0;
            before = noisy;
        }

        assertThat(begun).isLessThan(12);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 2, 3})
    void when_all_peers_get_slower_it_is_seen_and_reaches_back_to_the_beginning(double slower) {
        usual(3);
        int windows = 0;
        int noisy = 0;
        while (noisy == 0 && windows < 50) {
            noisy = see(slower, slower, slower);
            windows++;
        }

        assertThat(windows).isLessThanOrEqualTo(2);
        assertThat(noisy).isGreaterThanOrEqualTo(windows);
    }

    @Test
    void slowness_of_some_per_cent_is_no_noise_and_yet_seen() {
        usual(3);
        int quiet = 0;
        int slower = 0;
        int noisy = 0;
        for (int i = 0; i < 600 / LENGTH; i++) {
            see(1, 1, 1);
            quiet += watch.isSomewhatSlower() ? 1 : 0;
        }
        for (int i = 0; i < 30 / LENGTH; i++) {
            noisy += see(1.08, 1.08, 1.08) > 0 ? 1 : 0;
            slower += watch.isSomewhatSlower() ? 1 : 0;
        }

        assertThat(quiet * LENGTH).isLessThan(6);
        assertThat(noisy * LENGTH).isLessThan(5);
        assertThat(slower * LENGTH).isGreaterThan(15);
    }

    @Test
    void what_is_over_is_forgotten_within_seconds() {
        usual(3);
        for (int i = 0; i < 25; i++) {
            see(2, 2, 2);
        }
        int windows = 0;
        while (see(1, 1, 1) > 0 && windows < 100) {
            windows++;
        }

        assertThat(windows * LENGTH).isLessThan(3);
    }

    @Test
    void what_is_slow_at_one_peer_alone_is_no_noise() {
        usual(3);
        for (int i = 0; i < 500; i++) {
            assertThat(see(2, 1, 1)).isZero();
        }

        assertThat(watch.ill()).as("only one of three is ill").isLessThan(0.1);
    }

    @Test
    void peers_that_are_slow_in_turn_are_ill() {
        usual(3);
        for (int i = 0; i < 500; i++) {
            int slow = i / 10 % 3;
            see(slow == 0 ? 2 : 1, slow == 1 ? 2 : 1, slow == 2 ? 2 : 1);
        }

        assertThat(watch.ill()).isGreaterThan(0.2);
    }

    @Test
    void when_nothing_comes_back_anywhere_although_requests_arrive_it_is_seen_at_once() {
        usual(3);

        assertThat(watch.see(Map.of("a", stopped(), "b", stopped(), "c", stopped()), LIMIT_MICROS, ALLOWED))
                .isEqualTo(2);
    }

    @Test
    void a_tail_that_the_mean_does_not_show_is_seen_when_all_have_it() {
        usual(3);
        int noisy = 0;
        for (int i = 0; i < 5 && noisy == 0; i++) {
            noisy = watch.see(Map.of("a", withTail(), "b", withTail(), "c", withTail()), LIMIT_MICROS, ALLOWED);
        }

        assertThat(noisy).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65})
    void a_tail_that_two_neighbours_have_always_is_their_usual_one(int located) {
        for (int i = 0; i < 100 / LENGTH; i++) {
            if (i == located / LENGTH) {
                watch.locate(Set.of("a", "b"));
            }
            var seen = new TreeMap<>(Map.of("a", withTail(), "b", withTail()));
            for (int other = 0; other < 6; other++) {
                seen.put("other" + other, peer(1));
            }
            assertThat(watch.see(seen, LIMIT_MICROS, ALLOWED)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"50, 10", "200, 11"})
    void an_address_on_the_suts_host_is_forgotten_after_many_others_came_and_went(int others, int watched) {
        for (int neighbour = 0; neighbour < PeerWatch.MAX_PEERS; neighbour++) {
            watch.locate(Set.of("a" + neighbour));
        }
        watch.locate(Set.of("gone"));
        for (int other = 0; other < others; other++) {
            watch.locate(Set.of("b" + other));
        }

        watch.see(Map.of("gone", peer(1)), LIMIT_MICROS, ALLOWED);

        assertThat(watch.watched()).as("it is a peer like any other again").hasSize(watched);
        assertThat(watch.deciding()).hasSize(PeerWatch.MAX_PEERS);
    }

    @Test
    void a_peer_of_few_requests_is_ill_although_the_other_is_slower_by_chance_at_times() {
        watch = new PeerWatch(LENGTH, PeerProfiles.NONE);
        int slow = 0;
        for (int i = 0; i < 660 / LENGTH; i++) {
            boolean ill = i >= 60 / LENGTH && i % 60 < 10;
            slow += ill ? 1 : 0;
            watch.see(Map.of("a", peer(4, ill ? 4 : 1), "b", peer(4, 1)), LIMIT_MICROS, ALLOWED);
        }

        assertThat(watch.ill() / (slow * LENGTH / 600)).as("part of the slow looks that count").isGreaterThan(0.8);
    }

    @Test
    void weak_noise_that_shows_at_some_of_the_peers_makes_none_of_them_ill() {
        usual(3);
        for (int i = 0; i < 120 / LENGTH; i++) {
            int block = i / 50;
            double strong = i % 50 < 30 ? 1 : 1.3;
            double weak = i % 50 < 30 ? 1 : block % 6 == 0 ? 1.3 : 1.08;
            see(block % 3 == 0 ? strong : weak, block % 3 == 1 ? strong : weak, block % 3 == 2 ? strong : weak);
        }

        assertThat(watch.ill()).as("0.14 when weak noise counts").isLessThan(NoiseAccount.ILL);
    }

    @Test
    void a_failed_request_of_a_peer_is_as_bad_as_the_late_ones_that_the_rules_allow_for_it() {
        var scene = new GateScene();
        var failing = new WindowStats(Duration.ofSeconds(1), 300, 300, 6, 0, peer(1).latency(), List.of(), Map.of());
        var rules = SimulatedRun.sla("latency.p99 <= duration('100ms')", "error_rate <= 0.002");

        watch.see(scene.window(rules, Map.of("a", failing, "b", failing)));

        assertThat(watch.late()).as("6 failed of 300 are ten times as many as may fail").isEqualTo(2 * 6 * 5);
        watch.see(scene.window(SimulatedRun.sla("latency.p99 <= duration('100ms')", "timeout_rate <= 0.0001"),
                Map.of("a", failing, "b", failing)));
        assertThat(watch.late()).as("no rule limits errors").isZero();
        var cancelled = new WindowStats(Duration.ofSeconds(1), 300, 300, 0, 0, peer(1).latency(),
                new Cancelled(3, LatencyHistogram.NONE), List.of(), Map.of());
        watch.see(scene.window(SimulatedRun.sla("latency.p99 <= duration('100ms')", "cancel_rate <= 0.002"),
                Map.of("a", cancelled, "b", failing)));
        assertThat(watch.late()).as("cancelled ones have a rule of their own").isEqualTo(3 * 5);
        watch.see(scene.window(Map.of("a", failing, "b", failing)));
        assertThat(watch.late()).as("without a limit of failures").isZero();
    }

    @Test
    void the_usual_state_is_found_although_twenty_of_sixty_seconds_were_noisy() {
        var disturbed = new WatchedPeer(LENGTH, 25, PeerProfile.UNKNOWN);
        var quiet = new WatchedPeer(LENGTH, 25, PeerProfile.UNKNOWN);
        for (int i = 0; i < 60 / LENGTH; i++) {
            disturbed.add(PeerWindow.of(peer(i < 20 / LENGTH ? 2 : 1), LIMIT_MICROS));
            quiet.add(PeerWindow.of(peer(1), LIMIT_MICROS));
        }

        assertThat(Math.exp(disturbed.profile().lnLatency() - quiet.profile().lnLatency())).isBetween(0.95, 1.05);
    }

    @Test
    void a_peer_that_is_away_takes_the_watch_away_and_not_for_long() {
        usual(3);
        for (int i = 0; i < 50; i++) {
            var two = new TreeMap<>(Map.of("a", peer(1), "b", peer(1)));
            assertThat(watch.see(two, LIMIT_MICROS, ALLOWED)).isZero();
        }
        see(1, 1, 1);
        int noisy = 0;
        for (int i = 0; i < 25 && noisy == 0; i++) {
            noisy = see(2, 2, 2);
        }

        assertThat(noisy).isPositive();
    }

    @Test
    void a_peer_that_went_away_has_no_vote_any_more_and_a_new_one_has_none_yet() {
        usual(3);
        for (int i = 0; i < 6 / LENGTH; i++) {
            watch.see(Map.of("a", peer(1), "b", peer(1), "d", peer(1)), LIMIT_MICROS, ALLOWED);
        }

        int noisy = 0;
        for (int i = 0; i < 5 && noisy == 0; i++) {
            noisy = watch.see(Map.of("a", peer(2), "b", peer(2), "d", peer(1)), LIMIT_MICROS, ALLOWED);
        }

        assertThat(noisy).isPositive();
    }

    @Test
    void of_two_peers_one_that_goes_away_leaves_no_control() {
        usual(2);
        for (int i = 0; i < 6 / LENGTH; i++) {
            watch.see(Map.of("a", peer(1)), LIMIT_MICROS, ALLOWED);
        }

        assertThat(watch.knows(2)).isFalse();
        assertThat(watch.see(Map.of("a", peer(3)), LIMIT_MICROS, ALLOWED)).isZero();
    }

    @Test
    void another_one_goes_on_with_what_was_learnt() {
        usual(3);
        for (int i = 0; i < 100; i++) {
            see(2, 1, 1);
        }
        double ill = watch.ill();
        var profiles = watch.profiles();

        watch = new PeerWatch(LENGTH, profiles);

        assertThat(see(1, 1, 1)).isZero();
        assertThat(watch.knows(2)).isTrue();
        assertThat(watch.ill()).isCloseTo(ill, withinPercentage(2));
        assertThat(watch.profiles().byAddress()).isEqualTo(profiles.byAddress());
        int noisy = 0;
        for (int i = 0; i < 10 && noisy == 0; i++) {
            noisy = see(2, 2, 2);
        }
        assertThat(noisy).isPositive();
    }

    private void usual(int peers) {
        var slower = new double[peers];
        Arrays.fill(slower, 1);
        for (int i = 0; i < 60 / LENGTH; i++) {
            assertThat(see(slower)).as("before it knows what is usual").isZero();
        }
    }

    private int see(double... slower) {
        var seen = new TreeMap<String, WindowStats>();
        for (int i = 0; i < slower.length; i++) {
            seen.put(String.valueOf((char) ('a' + i)), peer(slower[i]));
        }
        return watch.see(seen, LIMIT_MICROS, ALLOWED);
    }

    /** Log-normal latencies around 10 ms, at some 400 requests/s. */
    private WindowStats peer(double slower) {
        return peer((int) Math.round(80 + 9 * random.nextGaussian()), slower);
    }

    private WindowStats peer(int requests, double slower) {
        return PeerStats.of(random, requests, slower);
    }

    private WindowStats withTail() {
        var latency = peer(1).latency().toHistogram();
        latency.recordValueWithCount(4 * LIMIT_MICROS, 3);
        return PeerStats.of(latency.getTotalCount(), latency);
    }

    private static WindowStats stopped() {
        return PeerStats.of(80, new Histogram(3));
    }

}
