// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import static io.redliner.analyzer.runstats.World.FULL;
import static io.redliner.analyzer.runstats.World.SUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TelemetryCoverage;
import io.redliner.analyzer.runstats.World;
import io.redliner.analyzer.search.NoiseAccount;
import io.redliner.analyzer.search.NoiseEpisodes;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.analyzer.windowing.ServiceWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoublePredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class ValidityChecksTest {

    private static final String PEER = "10.0.0.3:80";

    /** A search that nothing disturbed, and that could not have seen noise. */
    public static final SearchState QUIET = search(Optional.empty(), OptionalDouble.empty(), 0);

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.2, 1, 5})
    void an_honest_run_is_not_objected_to_at_any_rate(double scale) {
        for (long seed = 1; seed <= 10; seed++) {
            var checks = ValidityChecks.of(new World(seed).scale(scale).run(), QUIET, SUT);

            assertThat(ValidityChecks.objection(checks)).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void an_honest_run_is_rarely_doubted() {
        long doubted = IntStream.rangeClosed(1, 100)
                .filter(seed -> ValidityChecks.of(new World(seed).run(), QUIET, SUT).stream()
                        .anyMatch(check -> check.verdict() == CheckStatus.DOUBTFUL))
                .count();

        assertThat(doubted).isLessThanOrEqualTo(3);
    }

    @Test
    void all_checks_are_reported_and_what_was_not_measured_is_unknown() {
        var checks = ValidityChecks.of(new World(1).run(), QUIET, SUT);

        assertThat(checks).extracting(ValidityCheckResult::name)
                .containsExactly("littles-law", "throughput", "share", "peers-latency", "peers-errors",
                        "peers-breaches", "noise", "wander", "stalls", "telemetry",
                        "collector", "analyzer", "clocks", "samples", "fleet", "pauses",
                        "host", "request-ids", "unknown-proxies", "proxies");
        assertThat(checks.stream().filter(check -> check.verdict() == CheckStatus.UNKNOWN))
                .extracting(ValidityCheckResult::name)
                .containsExactly("noise", "wander", "pauses", "host", "request-ids",
                        "unknown-proxies", "proxies");
        assertThat(checks).allSatisfy(check -> assertThat(check.message()).isNotBlank());
    }

    @Test
    void of_a_run_that_was_not_seen_nothing_is_known_and_nothing_objected() {
        var checks = ValidityChecks.of(RunStatistics.NONE, QUIET, SUT);

        assertThat(checks).filteredOn(check -> !check.name().equals("stalls"))
                .extracting(ValidityCheckResult::verdict).containsOnly(CheckStatus.UNKNOWN);
        assertThat(ValidityChecks.objection(checks)).isEmpty();
    }

    @Test
    void noise_that_hit_all_instances_is_reported_beside_the_answer() {
        assertThat(noise(200, 4, 180, 1).verdict()).isEqualTo(CheckStatus.OK);
        assertThat(noise(200, 80, 110, 0).verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(noise(200, 80, 110, 0).message()).startsWith("40 % of the time was left out").contains("too low");
        assertThat(noise(200, 24, 170, 2).verdict()).isEqualTo(CheckStatus.OK);
        assertThat(noise(200, 24, 170, 2).message()).contains("12 %").doesNotContain("too low");
        assertThat(noise(200, 0, 180, 36).message()).startsWith("no time was left out").contains("20 %", "too low");
        assertThat(noise(200, 0, 180, 36).verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(noise(100, 100, 0, 0).value()).hasValue(1);
    }

    @Test
    void a_server_that_stood_still_again_and_again_is_known_less_well() {
        assertThat(stalls(1).verdict()).isEqualTo(CheckStatus.OK);
        assertThat(stalls(2).verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(stalls(2).message()).contains("2 times", "less well");
    }

    @Test
    void a_server_that_is_slow_at_times_by_itself_is_known_less_well() {
        assertThat(wander(0.07).verdict()).isEqualTo(CheckStatus.OK);
        assertThat(wander(0.07).message()).contains("7 %").doesNotContain("less well");
        assertThat(wander(0.15).verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(wander(0.15).message()).contains("15 %", "less well");
    }

    private static ValidityCheckResult wander(double deviation) {
        var search = search(Optional.empty(), OptionalDouble.of(deviation), 0);
        return check(ValidityChecks.of(RunStatistics.NONE, search, SUT), "wander");
    }

    private static ValidityCheckResult stalls(int stalls) {
        var search = search(Optional.empty(), OptionalDouble.empty(), stalls);
        return check(ValidityChecks.of(RunStatistics.NONE, search, SUT), "stalls");
    }

    private static SearchState search(Optional<NoiseAccount> noise, OptionalDouble wander, int stalls) {
        return new SearchState() {
            @Override
            public SearchAdvice advice() {
                return new SearchAdvice(SearchAdvice.Action.DONE, 0, SearchAdvice.Phase.ENDED, "", 0, Optional.empty());
            }

            @Override
            public Optional<NoiseAccount> noise() {
                return noise;
            }

            @Override
            public OptionalDouble speedWander() {
                return wander;
            }

            @Override
            public int stalls() {
                return stalls;
            }
        };
    }

    private static ValidityCheckResult noise(double seconds, double cut, double watched, double slower) {
        return check(ValidityChecks.of(RunStatistics.NONE,
                search(Optional.of(new NoiseAccount(seconds, cut, 0, NoiseAccount.Onsets.NONE, NoiseAccount.Onsets.NONE,
                        watched, slower, new NoiseEpisodes(0, 0, 0, 0, 0, 0, 0, 0))),
                        OptionalDouble.empty(), 0),
                SUT), "noise");
    }

    @Test
    void requests_that_are_never_counted_as_ended_break_littles_law() {
        var world = new World(1).inFlight((random, mean) -> Math.round(1.5 * mean + 2));

        assertThat(check(world, "littles-law").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(check(world, "throughput").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(ValidityChecks.objection(ValidityChecks.of(world.run(), QUIET, SUT)).orElseThrow())
                .contains("littles-law",
                        "throughput");
    }

    @Test
    void a_deviation_that_is_small_but_sure_is_doubtful() {
        var world = new World(1).scale(30).latency(load -> 0.05)
                .inFlight((random, mean) -> Math.round(1.1 * World.poisson(random, mean)));

        assertThat(check(world, "littles-law").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
    }

    @Test
    void load_that_arrives_otherwise_than_asked_for_is_doubtful() {
        assertThat(check(new World(1).arriving(0.85), "share").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(new World(1).arriving(0.98), "share").verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void peers_that_slow_down_with_the_sut_share_its_limit() {
        assertThat(
                check(new World(1).peersLatency(load -> load < 0.6 * FULL ? 0.012 : 0.03), "peers-latency").verdict())
                .isEqualTo(CheckStatus.INVALID);
        assertThat(check(new World(1).peersLatency(load -> 0.012 + 0.008 * load / FULL), "peers-latency").verdict())
                .isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(new World(1).peersLatency(load -> 0.02 - 0.01 * load / FULL), "peers-latency").verdict())
                .isEqualTo(CheckStatus.OK);
    }

    @Test
    void peers_that_fail_as_the_sut_gets_more_make_the_run_invalid() {
        assertThat(check(new World(1).peersErrors(load -> load > 0.8 * FULL ? 0.05 : 0), "peers-errors").verdict())
                .isEqualTo(CheckStatus.INVALID);
        assertThat(check(new World(1).peersErrors(load -> 0.01), "peers-errors").verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void a_peer_that_fails_in_bursts_of_its_own_objects_to_no_run() {
        var objections = IntStream.range(0, 20).filter(seed -> {
            var random = new Random(seed);
            var asked = new AtomicInteger();
            var until = new AtomicInteger();
            var world = new World(seed).peersErrors(load -> {
                int window = asked.getAndIncrement() / 3;
                // One of the three, a third of the time, for five seconds or so.
                if (asked.get() % 3 == 0 && window >= until.get() && random.nextInt(20) == 0) {
                    until.set(window + 5 + random.nextInt(10));
                }
                return asked.get() % 3 == 0 && window < until.get() ? 0.3 : 0;
            });
            return check(world, "peers-errors").verdict() == CheckStatus.INVALID;
        }).count();

        assertThat(objections).isLessThanOrEqualTo(1);
    }

    @Test
    void breaches_that_the_peers_share_are_not_the_suts_own() {
        assertThat(check(new World(1), "peers-breaches").value().orElseThrow()).isZero();
        assertThat(check(new World(1).peersLatency(World::fourWorkers), "peers-breaches").verdict())
                .isEqualTo(CheckStatus.INVALID);
        ValidityCheckResult none = check(new World(1).latency(load -> 0.01).peersLatency(load -> 0.2),
                "peers-breaches");
        assertThat(none.verdict()).isEqualTo(CheckStatus.OK);
        assertThat(none.limit()).as("no part of so few windows is doubtful").isEmpty();
    }

    @Test
    void peers_that_keep_the_rule_all_in_all_share_no_breaches_by_the_chance_of_a_window() {
        for (int seed = 1; seed <= 10; seed++) {
            assertThat(check(new World(seed).peersLatency(load -> 0.99 * 0.12 / Math.log(100)), "peers-breaches")
                    .verdict()).as("seed " + seed).isEqualTo(CheckStatus.OK);
        }
    }

    @Test
    void windows_that_were_missed_count() {
        assertThat(check(new World(1).telling(incomplete(2)), "telemetry").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(check(new World(1).telling(incomplete(15)), "telemetry").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(new World(1).telling(incomplete(150)), "telemetry").verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void late_early_and_lost_observations_count() {
        assertThat(check(received(IngestResult.LATE, 2, 0), "collector").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(check(received(IngestResult.LATE, 0.5, 0), "collector").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(received(IngestResult.LATE, 0.1, 0), "collector").verdict()).isEqualTo(CheckStatus.OK);
        assertThat(check(received(IngestResult.EARLY, 1, 0), "clocks").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(check(received(IngestResult.EARLY, 0.1, 0), "clocks").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(received(IngestResult.ACCEPTED, 1, 2), "telemetry").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(check(received(IngestResult.DUPLICATE, 4, 0), "telemetry").verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void an_analyzer_that_left_out_windows_stood_still() {
        assertThat(check(skipping(60), "analyzer").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(check(skipping(10), "analyzer").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(skipping(1), "analyzer").verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void watchers_that_were_measured_and_were_full_make_the_run_invalid() {
        assertThat(gauge("request.ids.shared", 0.5, "request-ids").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(gauge("request.ids.shared", 0.0, "request-ids").verdict()).isEqualTo(CheckStatus.OK);
        assertThat(gauge("proxies.unknown", 1, "unknown-proxies").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(gauge("proxies.unknown", 0, "unknown-proxies").verdict()).isEqualTo(CheckStatus.OK);
        assertThat(gauge("proxy.cpu", 0.9, "proxies").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(gauge("proxy.cpu", 0.8, "proxies").verdict()).isEqualTo(CheckStatus.OK);
        assertThat(gauge("cpu.throttled", 0.5, "host").verdict()).as("at the natural load, too")
                .isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(gauge("collector.lag", 2, "collector").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(gauge("collector.steal", 0.3, "collector").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(gauge("collector.throttled", 0.6, "collector").verdict()).isEqualTo(CheckStatus.INVALID);
        assertThat(gauge("clock.offset", 0.4, "clocks").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
    }

    @Test
    void a_peer_that_leaves_joins_or_is_ejected_makes_the_run_invalid() {
        assertThat(check(without(second -> second > 70), "fleet").message()).contains(PEER, "for the last 3");
        assertThat(check(without(second -> second < 30), "fleet").message()).contains(PEER, "joined after 30 s");
        assertThat(check(without(second -> second > 50 && second < 60), "fleet").message()).contains(PEER, "for 10 s");
        assertThat(check(without(second -> second > 50 && second < 52), "fleet").verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void a_silent_collector_is_not_taken_for_an_ejected_peer() {
        var world = new World(1).telling(window -> second(window) > 50 && second(window) < 60
                ? new ServiceWindow(window.startMillis(), window.length(), Map.of(), Map.of(PEER, "collector-1"))
                : window);

        assertThat(check(world, "fleet").verdict()).isEqualTo(CheckStatus.OK);
        assertThat(check(world, "telemetry").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
    }

    @Test
    void a_restart_of_the_sut_makes_the_run_invalid() {
        var world = new World(1);
        var seconds = new int[]{3_000};
        world.gauges(load -> {
            seconds[0] = seconds[0] == 3_120 ? 0 : seconds[0] + 1;
            return Map.of();
        }).telling(window -> World.with(window, "process.uptime", seconds[0]));

        assertThat(check(world, "fleet").message()).contains("the SUT was restarted");
    }

    @Test
    void too_few_requests_for_the_percentile_are_doubtful_and_far_too_few_invalid() {
        assertThat(check(new World(1), "samples").verdict()).isEqualTo(CheckStatus.OK);
        assertThat(check(new World(1).scale(0.03), "samples").verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check(new World(1).scale(0.002), "samples").verdict()).isEqualTo(CheckStatus.INVALID);
    }

    @Test
    void requests_that_nobody_reported_are_named_before_the_few_that_count() {
        var seen = new World(1).scale(0.002).run();
        var stoodStill = seen
                .with(new TelemetryCoverage(seen.coverage().windows(), 8, 0, seen.coverage().observations(),
                        0, 0, 0, 0));

        var words = check(ValidityChecks.of(stoodStill, QUIET, SUT), "samples").message();

        assertThat(words).startsWith("8 of ").contains("incomplete", "requests in the", "that count, at a rate of")
                .doesNotContain("in all");
        assertThat(check(new World(1).scale(0.002), "samples").message()).startsWith("the SUT got ");
    }

    @Test
    void pauses_that_made_the_breach_are_named() {
        var check = check(new World(1).stalls(0.3).latency(load -> 0.01), "pauses");

        assertThat(check.verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check.message()).contains("gc.pause up to 300 ms");
        assertThat(gauge("process.pause", 0.001, "pauses").verdict()).isEqualTo(CheckStatus.OK);
    }

    private static ValidityCheckResult check(World world, String name) {
        return check(ValidityChecks.of(world.run(), QUIET, SUT), name);
    }

    private static ValidityCheckResult check(List<ValidityCheckResult> checks, String name) {
        return checks.stream().filter(check -> check.name().equals(name)).findFirst().orElseThrow();
    }

    private static ValidityCheckResult gauge(String gauge, double value, String name) {
        return check(new World(1).gauges(load -> Map.of(gauge, value)), name);
    }

    /** So many with each window, on average. */
    private static World received(IngestResult reception, double each, long lost) {
        return new World(1).receiving(evidence -> {
            var after = evidence;
            long windows = evidence.coverage().windows();
            for (long i = (long) (each * (windows - 1)); i < (long) (each * windows); i++) {
                after = after.received(reception, lost);
            }
            return after;
        });
    }

    /** After half of the run nothing is judged for so many windows. */
    private static World skipping(int windows) {
        return new World(1).telling(window -> new ServiceWindow(
                window.startMillis() + (second(window) > 50 ? 500L * windows : 0), window.length(),
                window.instances(), window.missing()));
    }

    private static double second(ServiceWindow window) {
        return (window.startMillis() - 1_000_000) / 1e3;
    }

    private static UnaryOperator<ServiceWindow> incomplete(int each) {
        return window -> Math.round(2 * second(window)) % each == 0
                ? new ServiceWindow(window.startMillis(), window.length(), window.instances(),
                        Map.of(PEER, "collector-1"))
                : window;
    }

    private static World without(DoublePredicate gone) {
        return new World(1).telling(window -> {
            var instances = new HashMap<>(window.instances());
            if (gone.test(second(window))) {
                instances.remove(PEER);
            }
            return new ServiceWindow(window.startMillis(), window.length(), instances, window.missing());
        });
    }
}
