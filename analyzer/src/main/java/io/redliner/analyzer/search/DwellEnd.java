// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.Advice.Action;
import io.redliner.analyzer.search.Ride.Capped;
import io.redliner.analyzer.search.RideState.Ended;
import io.redliner.analyzer.search.RideState.Riding;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where to go after a dwell: to the next one, back to the ramp, or home with the answer. */
final class DwellEnd {

    private static final double FEWEST_PER_ALLOWED = 10;

    private static final double CAPPED_SECONDS = 25;

    private static final double CAPPED_PART = 0.94;

    private static final int CALM_DWELLS = 2;

    private static final double CALM_INFLATION = 1.25;

    private static final double QUIET_CLIMB = 0.025;

    private static final double ABOVE_FLOOR = 1.3;

    private final SearchSettings settings;

    private final RampPhase ramp;

    private final Beliefs beliefs;

    DwellEnd(SearchSettings settings, RampPhase ramp) {
        this.settings = settings;
        this.ramp = ramp;
        this.beliefs = new Beliefs(settings);
    }

    /** A dwell without an alarm. */
    RideState uneventful(Riding dwell, JudgedWindow window) {
        return onward(Lesson.whole(dwell, settings), window);
    }

    /**
     * A dwell that an alarm cut off.
     *
     * @param peak the load that raised the alarm, requests/s
     */
    RideState alarmed(Riding dwell, Watch.Raised raised, double peak, JudgedWindow window) {
        return onward(Lesson.cutOff(dwell, raised, peak, settings), window);
    }

    /** The end, whatever is known. */
    RideState finish(Common common, Base base, Ride ride) {
        if (ride.belief().isPresent() && ride.felt()) {
            var estimate = estimate(ride);
            return new Ended(common.end(Action.DONE, String.format(Locale.ROOT,
                    "%.1f requests/s, between %.1f and %.1f with 95 %% confidence", estimate.capacity(),
                    estimate.low(), estimate.high()), Optional.of(estimate)));
        }
        if (!(ride.highest() > 0)) {
            return new Ended(common.end(Action.GIVE_UP, "no load could be held for long enough to learn from it",
                    Optional.empty()));
        }
        double held = ride.capped().requests() > 0
                ? ride.capped().loadSeconds() / ride.capped().seconds()
                : 0.98 * ride.highest();
        return new Ended(common.end(Action.EXHAUSTED,
                String.format(Locale.ROOT, "%.1f requests/s held, and more cannot be had", held),
                Optional.of(new Estimate(held, held, Double.POSITIVE_INFINITY, OptionalDouble.of(held),
                        Optional.empty()))));
    }

    private RideState onward(Lesson lesson, JudgedWindow window) {
        var dwell = lesson.dwell();
        double latency = dwell.counted().completed() > 0 ? dwell.counted().latency() : dwell.latency();
        var base = dwell.base();
        var outcome = beliefs.of(lesson.ride(), base, dwell.common().senses());
        var ride = outcome.belief().map(it -> lesson.ride().believing(it, outcome.felt()).within(it))
                .orElse(lesson.ride());
        double target = target(lesson, ride, dwell.target());
        int calm = calm(lesson, latency) ? ride.calm() + 1 : 0;
        ride = ride.counting(calm, capped(lesson, ride, window));
        var common = outcome.belief().isPresent()
                ? dwell.common().knowing(Optional.of(estimate(ride)))
                : dwell.common();
        double most = window.mostRequestsPerSecond();
        if (calm >= CALM_DWELLS && dwell.target() < 0.98 * most
                && (outcome.binding() == 0 || ride.belief().orElseThrow().capacity() > 1.03 * dwell.target())) {
            return ramp.begin(common, base, Optional.of(ride), dwell.target(), latency, window);
        }
        return over(ride, base, common.senses().seconds())
                ? finish(common, base, ride)
                : Dwell.begin(common, base, ride, target, latency, lesson.alarmed(), settings, window);
    }

    private boolean over(Ride ride, Base base, double seconds) {
        double ridden = seconds - ride.since();
        boolean sure = ride.belief().filter(it -> it.halfWidth() < settings.halfWidth()).isPresent()
                && ridden >= SearchSettings.seconds(settings.leastRide());
        boolean wide = ride.belief().filter(it -> it.halfWidth() < Belief.WIDE).isEmpty();
        double patience = wide ? settings.patience() : 1;
        boolean late = ridden > patience * settings.longestRideSeconds(base)
                || seconds > patience * SearchSettings.seconds(settings.longest()) * base.slowness();
        double largestAllowance = base.allowed().values().stream().mapToDouble(Allowance::ratio).max().orElse(1);
        boolean exhausted = ride.capped().seconds() > CAPPED_SECONDS
                && ride.capped().requests() > FEWEST_PER_ALLOWED / largestAllowance;
        return sure || late || exhausted;
    }

    private double target(Lesson lesson, Ride ride, double target) {
        if (ride.belief().isEmpty()) {
            return target * (1 + settings.raise());
        }
        var belief = ride.belief().get();
        double next = Math.min(belief.ridden(), target * (1 + settings.raise()));
        if (lesson.alarmed() || ride.retrograde()) {
            return next;
        }
        double quiet = ride.felt() ? settings.quiet() : 1;
        boolean hardlyAny = lesson.counted().tallies().entrySet().stream().allMatch(entry -> {
            double allowed = lesson.dwell().base().allowed(entry.getKey());
            double floor = lesson.dwell().base().floors().getOrDefault(entry.getKey(), Tally.NONE).ratio();
            return entry.getValue().ratio() / allowed < Math.max(quiet, ABOVE_FLOOR * floor / allowed);
        });
        if (!hardlyAny) {
            return next;
        }
        double climbed = target * (1 + (ride.felt() ? settings.quietRaise() : QUIET_CLIMB));
        return Math.max(next, ride.felt() ? Math.min(climbed, belief.quiet()) : climbed);
    }

    private static boolean calm(Lesson lesson, double latency) {
        var base = lesson.dwell().base();
        return !lesson.alarmed() && latency < CALM_INFLATION * base.latency()
                && lesson.dwell().target() >= 0.9 * lesson.ride().highest()
                && lesson.counted().tallies().entrySet().stream().allMatch(entry -> {
                    double expected = entry.getValue().requests() * base.floor(entry.getKey());
                    return entry.getValue().exceeding() <= expected + 2 * Math.sqrt(expected + 1);
                });
    }

    private static Capped capped(Lesson lesson, Ride ride, JudgedWindow window) {
        if (ride.felt()) {
            return Capped.NOT;
        }
        if (lesson.alarmed() || lesson.load() < CAPPED_PART * window.reachableRequestsPerSecond()) {
            return ride.capped();
        }
        double seconds = lesson.dwell().seconds();
        double requests = lesson.counted().tallies().values().stream().mapToDouble(Tally::requests).max().orElse(0);
        return new Capped(ride.capped().seconds() + seconds, ride.capped().requests() + requests,
                ride.capped().loadSeconds() + lesson.load() * seconds);
    }

    private Estimate estimate(Ride ride) {
        var belief = ride.belief().orElseThrow();
        var limit = Optional.ofNullable(ride.breaches().get(belief.limit()))
                .or(() -> ride.breaches().values().stream().findFirst());
        var held = ride.exposures().stream().filter(it -> !it.alarmed() && it.load() <= belief.capacity())
                .mapToDouble(Ride.Exposure::load).max();
        return new Estimate(belief.capacity(), belief.low() * (1 - settings.systematic()),
                belief.high() * (1 + settings.systematic()), held, limit);
    }
}
