// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchAdvice.Phase;
import io.redliner.analyzer.search.SimulatedRun.Moment;
import io.redliner.analyzer.search.SimulatedServer.Kind;
import io.redliner.contract.limit.Precision;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a simulated server in virtual time. How near it comes is measured in the accuracy lab, not here. */
class BayesianCapacitySearchTest {

    private static final String LATENCY = "latency.p99 <= duration('50ms')";

    private static final Kind SERVER = Kind.ORDINARY;

    /** That of {@link #SERVER}, simulated once. */
    private static final double CAPACITY = SERVER.trueCapacity();

    private final BayesianCapacitySearch search = new BayesianCapacitySearch(SearchSettings.defaults());

    private static SimulatedRun run(Kind kind, double windowSeconds, double largestShare, long seed, String... sla) {
        return new SimulatedRun(kind, SimulatedRun.sla(sla), windowSeconds, CAPACITY / 2, 0.2, largestShare, seed);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1})
    void finds_the_capacity(double windowSeconds) {
        var run = run(SERVER, windowSeconds, 0.6, 11, LATENCY);

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        var estimate = advice.estimate().orElseThrow();
        assertThat(estimate.capacity() / CAPACITY).isCloseTo(1, within(0.06));
        assertThat(estimate.low()).isLessThan(1.01 * CAPACITY);
        assertThat(estimate.high()).isGreaterThan(0.99 * CAPACITY);
        assertThat(estimate.limit().orElseThrow().rule()).isEqualTo("latency.p99");
        assertThat(run.moments).extracting(moment -> moment.advice().phase()).contains(Phase.BASELINE, Phase.RAMPING,
                Phase.CONFIRMING);
        assertWithinBounds(run);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1})
    void the_last_answer_is_sharper_than_those_by_steps(double windowSeconds) {
        var run = run(SERVER, windowSeconds, 0.6, 11, LATENCY);

        var last = run.follow(search).estimate().orElseThrow();

        var steps = run.moments.get(run.moments.size() - 2).advice().estimate().orElseThrow();
        assertThat(last.halfWidth()).isLessThan(0.95 * steps.halfWidth());
        assertThat(last.lastGood().orElseThrow()).isLessThanOrEqualTo(last.capacity());
        var pieces = ((SearchPhaseState) run.moments.getLast().state()).common().pieces();
        assertThat(pieces.all()).hasSizeBetween(10, 120);
        assertThat(pieces.pending()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void the_time_that_a_note_on_a_plan_names_is_that_of_the_search() {
        assertThat(SearchSettings.defaults().stop().maxConfirmTime()).isEqualTo(Precision.USUAL_CONFIRM_TIME);
    }

    @Test
    void an_ended_search_repeats_its_answer() {
        var run = run(SERVER, 1, 0.6, 12, LATENCY);
        run.follow(search);
        var last = run.moments.getLast();

        var again = search.advise(last.state(), run.moments.getFirst().window());

        assertThat(again).isEqualTo(last.state());
        assertThat(again.ended()).isTrue();
        assertThat(again.advice().requestsPerSecond()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1})
    void sheds_within_seconds_when_the_capacity_halves_in_the_confirm_phase(double windowSeconds) {
        var run = run(SERVER, windowSeconds, 0.6, 13, LATENCY);
        var slowedAt = new AtomicReference<Moment>();
        var shedAt = new AtomicReference<Moment>();
        run.events = (second, moment) -> {
            if (slowedAt.get() == null && moment.state() instanceof SearchPhaseState.Confirming confirming
                    && confirming.history().evidence().exposures().size() >= 3 && confirming.whole().seconds() > 2) {
                slowedAt.set(moment);
                run.server.slowDown(2);
            } else if (slowedAt.get() != null && shedAt.get() == null && moment.advice().action() == Action.SHED) {
                shedAt.set(moment);
            }
        };

        run.follow(search);

        var slowed = Objects.requireNonNull(slowedAt.get());
        var shed = Objects.requireNonNull(shedAt.get());
        assertThat(shed.second() - slowed.second()).isLessThanOrEqualTo(3);
        assertThat(shed.advice().requestsPerSecond()).isLessThan(0.6 * slowed.advice().requestsPerSecond());
        assertThat(shed.advice().reason()).contains("latency.p99");
    }

    @Test
    void a_baseline_that_breaks_the_sla_is_given_up_by_name() {
        var run = run(SERVER, 1, 0.6, 14, "latency.p99 <= duration('50ms')", "latency.p50 <= duration('5ms')");

        var advice = run.follow(search);

        assertThat(advice.action()).isEqualTo(Action.GIVE_UP);
        assertThat(advice.reason()).contains("natural load", "latency.p50");
        assertNeverAboveNatural(run);
    }

    @Test
    void a_server_that_completes_nothing_is_given_up() {
        var run = run(new Kind(8, 0.01, 0.7, 0.05, 100_000, 0, 1), 1, 0.6, 15, LATENCY);
        run.server.pause(1_000);

        var advice = run.follow(search);

        assertThat(advice.action()).isEqualTo(Action.GIVE_UP);
        assertNeverAboveNatural(run);
    }

    @Test
    void traffic_that_ends_before_the_knee_is_an_honest_lower_bound() {
        var run = run(SERVER, 1, 0.3, 16, LATENCY);

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.EXHAUSTED);
        var estimate = advice.estimate().orElseThrow();
        double reachable = 0.3 / 0.2 * CAPACITY / 2;
        assertThat(estimate.capacity()).isCloseTo(reachable, within(0.04 * reachable)).isLessThan(CAPACITY);
        assertThat(estimate.low()).isEqualTo(estimate.capacity());
        assertThat(estimate.high()).isInfinite();
        assertThat(estimate.limit()).isEmpty();
        assertWithinBounds(run);
    }

    @Test
    void time_that_is_over_without_an_answer_is_no_exhausted_traffic() {
        var run = run(SERVER, 1, 0.8, 16, LATENCY);
        run.secondsLeft = 30;

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.GIVE_UP);
        assertThat(run.moments).as("an answer comes before traffic goes back").hasSizeLessThan(29);
        var estimate = advice.estimate().orElseThrow();
        assertThat(estimate.capacity()).isEqualTo(estimate.low()).isPositive().isLessThan(CAPACITY);
        assertThat(estimate.high()).isInfinite();
    }

    @Test
    void what_is_known_when_time_is_over_is_the_answer() {
        var run = run(SERVER, 1, 0.8, 16, LATENCY);
        run.secondsLeft = 90;

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        assertThat(run.moments).hasSizeLessThan(89);
        assertThat(advice.estimate().orElseThrow().capacity()).isCloseTo(CAPACITY, within(0.1 * CAPACITY));
    }

    @ParameterizedTest
    @CsvSource({"0.8, 1.2, DONE", "0.2, 2.3, GIVE_UP"})
    void an_interval_that_is_too_wide_to_plan_with_is_no_answer(double low, double high, Action action) {
        var last = SimulatedRun.ordinary(1).stream().map(SimulatedRun.Moment::state)
                .filter(SearchPhaseState.Confirming.class::isInstance).map(SearchPhaseState.Confirming.class::cast)
                .reduce((earlier, later) -> later).orElseThrow();
        double capacity = last.history().posterior().orElseThrow().capacity();
        var history = last.history().withPosterior(new CapacityPosterior(capacity, low * capacity, high * capacity,
                capacity, capacity, SearchHistory.STALL), true);

        var advice = search.outOfTime(new SearchPhaseState.Confirming(last.common(), last.base(), history,
                last.target(), last.latency(), last.whole(), last.counted(), last.length())).advice();

        assertThat(advice.action()).isEqualTo(action);
        assertThat(advice.estimate().orElseThrow().capacity()).isEqualTo(capacity);
        assertThat(advice.reason().contains("too wide")).isEqualTo(action == Action.GIVE_UP);
    }

    @Test
    void the_strictest_limit_says_how_many_requests_are_enough() {
        var lenient = new SimulatedRun(SERVER, SimulatedRun.sla(LATENCY), 1, 40, 0.1, 0.15, 16);
        var strict = new SimulatedRun(SERVER, SimulatedRun.sla(LATENCY, "latency.p999 <= duration('2s')"), 1, 40, 0.1,
                0.15, 16);

        assertThat(lenient.follow(search).action()).isEqualTo(Action.EXHAUSTED);
        assertThat(strict.follow(new BayesianCapacitySearch(SearchSettings.defaults())).action())
                .isEqualTo(Action.EXHAUSTED);

        assertThat(atTheMost(strict)).isGreaterThan(10_000).isGreaterThan(2 * atTheMost(lenient));
    }

    /** Requests that the SUT received at nearly the most that can be had. */
    private static double atTheMost(SimulatedRun run) {
        return run.moments.stream().map(SimulatedRun.Moment::window)
                .filter(window -> window.requestsPerSecond() > 0.9 * window.loads().reachable())
                .mapToDouble(SearchInput::requestsPerSecond).sum();
    }

    @Test
    void a_window_that_says_nothing_holds_and_never_raises() {
        var run = run(SERVER, 1, 0.6, 17, LATENCY);
        run.events = (second, moment) -> run.silent = Math.round(second) % 5 == 3;

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        for (int i = 1; i < run.moments.size(); i++) {
            var moment = run.moments.get(i);
            if (!moment.window().sla().conclusive()) {
                var before = run.moments.get(i - 1).advice();
                assertThat(moment.advice().action()).isEqualTo(Action.HOLD);
                assertThat(moment.advice().requestsPerSecond()).isEqualTo(before.requestsPerSecond());
                assertThat(moment.advice().reason()).contains("nobody reported the SUT");
            }
        }
    }

    @Test
    void three_windows_in_a_row_that_say_nothing_are_given_up() {
        var run = run(SERVER, 1, 0.6, 18, LATENCY);
        run.events = (second, moment) -> run.silent = second >= 30;

        var advice = run.follow(search);

        assertThat(advice.action()).isEqualTo(Action.GIVE_UP);
        assertThat(advice.reason()).contains("3 windows in a row", "nobody reported the SUT");
        assertThat(run.moments.stream().filter(moment -> !moment.window().sla().conclusive())).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1})
    void a_pause_is_shed_and_is_not_taken_for_the_capacity(double windowSeconds) {
        var run = run(SERVER, windowSeconds, 0.6, 19, LATENCY);
        var pausedAt = new AtomicReference<Double>();
        run.events = (second, moment) -> {
            if (pausedAt.get() == null && moment.advice().phase() == Phase.RAMPING
                    && moment.window().requestsPerSecond() > 0.65 * CAPACITY) {
                pausedAt.set(second);
                run.server.pause(2);
            }
        };

        var advice = run.follow(search);

        assertThat(run.moments.stream().filter(moment -> moment.advice().action() == Action.SHED).findFirst()
                .orElseThrow().second() - Objects.requireNonNull(pausedAt.get())).isLessThanOrEqualTo(2);
        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        assertThat(advice.estimate().orElseThrow().capacity() / CAPACITY).isCloseTo(1, within(0.08));
    }

    @Test
    void a_level_is_followed_to_its_limit_and_named() {
        // 80 % of the CPU are used at 640/s; p99 would hold up to some 700/s.
        var run = run(SERVER, 1, 0.6, 20, LATENCY, "cpu <= 0.8");

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        var estimate = advice.estimate().orElseThrow();
        assertThat(estimate.capacity()).isCloseTo(640, within(0.03 * 640));
        assertThat(estimate.limit().orElseThrow().rule()).isEqualTo("cpu");
        assertThat(estimate.limit().orElseThrow().threshold()).hasValue(0.8);
    }

    @Test
    void a_gauge_whose_clock_lags_does_not_lead_beyond_what_the_other_limits_allow() {
        // The reported CPU utilisation is 8 s old; latency would hold up to some 700/s.
        var run = run(SERVER, 1, 0.6, 20, LATENCY, "cpu <= 0.8");
        run.server.gaugesLag(8);

        var advice = run.follow(search);

        assertThat(run.moments).allSatisfy(moment -> assertThat(moment.share()).isLessThanOrEqualTo(0.6 + 1e-9));
        assertThat(run.moments.stream().mapToDouble(moment -> moment.advice().requestsPerSecond()).max().orElseThrow())
                .isLessThan(1.25 * 700);
        assertThat(advice.estimate().map(estimate -> estimate.capacity()).orElse(0.0)).isLessThan(1.05 * 700);
    }

    @ParameterizedTest
    @CsvSource({"200, latency.p99, 698", "2, error_rate, 433"})
    void of_two_limits_the_tighter_one_is_named(int queueBound, String tighter, double capacity) {
        // With a short queue 1 % are refused from 433/s on, and nobody waits for long (simulated for 2000 s each).
        var run = new SimulatedRun(new Kind(8, 0.01, 0.7, 0.05, queueBound, 0, 1),
                SimulatedRun.sla(LATENCY, "error_rate <= 0.01"), 1, 260, 0.2, 0.6, 21);

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        var estimate = advice.estimate().orElseThrow();
        assertThat(estimate.limit().orElseThrow().rule()).isEqualTo(tighter);
        assertThat(estimate.capacity() / capacity).isCloseTo(1, within(0.1));
    }

    @Test
    void a_server_whose_throughput_falls_beyond_the_knee_is_recognised() {
        var run = run(SERVER.contended(0.01), 0.2, 0.6, 22, LATENCY, "error_rate <= 0.001");

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        assertThat(run.moments.stream().map(Moment::state).anyMatch(BayesianCapacitySearchTest::retrograde)).isTrue();
        assertThat(advice.estimate().orElseThrow().capacity()).isLessThan(CAPACITY);
        assertWithinBounds(run);
    }

    @Test
    void a_server_that_never_recovers_is_not_said_to_have_held_a_load() {
        // Each request that waits makes all others slower: an overload does not end by itself.
        var run = run(new Kind(8, 0.01, 0.7, 0.05, 100_000, 0.05, 1), 0.2, 0.6, 22, LATENCY);

        var advice = run.follow(search);

        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.GIVE_UP);
        assertThat(advice.estimate().filter(estimate -> !(estimate.capacity() > 0))).isEmpty();
    }

    @Test
    void a_cold_server_is_warm_before_the_load_rises() {
        var run = run(SERVER.cold(3), 1, 0.6, 23, LATENCY);

        var advice = run.follow(search);

        var ramping = run.moments.stream().filter(moment -> moment.advice().phase() == Phase.RAMPING).findFirst()
                .orElseThrow();
        assertThat(ramping.second()).as("a warm one takes two blocks of 5 s").isGreaterThan(12);
        assertThat(((SearchPhaseState.Ramping) ramping.state()).base().latency()).as("mean latency").isLessThan(0.0115);
        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        assertThat(advice.estimate().orElseThrow().capacity() / CAPACITY).isCloseTo(1, within(0.08));
    }

    @Test
    void another_search_s_state_is_refused() {
        var window = SimulatedRun.ordinary(1).getFirst().window();
        SearchState foreign = () -> new SearchAdvice(Action.HOLD, 0, Phase.BASELINE, "", 0, Optional.empty());

        assertThatThrownBy(() -> search.advise(foreign, window)).isInstanceOf(IllegalArgumentException.class);
    }

    private static boolean retrograde(SearchState state) {
        return switch (state) {
            case SearchPhaseState.Confirming confirming -> confirming.history().retrograde();
            case SearchPhaseState.Ramping ramping ->
                ramping.searchHistory().filter(SearchHistory::retrograde).isPresent();
            default -> false;
        };
    }

    private static void assertNeverAboveNatural(SimulatedRun run) {
        assertThat(run.moments).allSatisfy(moment -> assertThat(moment.advice().requestsPerSecond())
                .isLessThanOrEqualTo(moment.window().loads().natural()));
    }

    /** What holds after every window. */
    private static void assertWithinBounds(SimulatedRun run) {
        int step = 0;
        for (var moment : run.moments) {
            var advice = moment.advice();
            assertThat(advice.requestsPerSecond()).isLessThanOrEqualTo(moment.window().loads().reachable());
            assertThat(advice.step()).isGreaterThanOrEqualTo(step);
            step = advice.step();
            advice.estimate().ifPresent(estimate -> assertThat(List.of(estimate.low(), estimate.capacity(),
                    estimate.high())).isSorted());
        }
    }
}
