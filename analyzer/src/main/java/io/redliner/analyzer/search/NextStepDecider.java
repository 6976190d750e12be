// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchHistory.Capped;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import io.redliner.analyzer.search.SearchPhaseState.Riding;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where to go after a dwell: to the next one, back to the ramp, or home with the answer. */
final class NextStepDecider {

    private static final double FEWEST_PER_ALLOWED = 10;

    private static final double CAPPED_SECONDS = 25;

    private static final double CAPPED_PART = 0.94;

    private static final int CALM_DWELLS = 2;

    private static final double CALM_INFLATION = 1.25;

    private static final double QUIET_CLIMB = 0.025;

    private static final double ABOVE_FLOOR = 1.3;

    /** Of the load of an alarm that comes without a warning. */
    private static final double BELOW_JUMP = 0.98;

    /** Of the load of an alarm of which nothing is believed. */
    private static final double ALARMED = 0.95;

    private final SearchSettings settings;

    private final RampPhase ramp;

    private final PosteriorEstimator beliefs;

    NextStepDecider(SearchSettings settings, RampPhase ramp) {
        this.settings = settings;
        this.ramp = ramp;
        this.beliefs = new PosteriorEstimator(settings);
    }

    /** A dwell without an alarm. */
    SearchPhaseState uneventful(Riding dwell, SearchInput window) {
        return decideNext(StepOutcome.ofCompletedStep(dwell, settings), window);
    }

    /**
     * A dwell that an alarm cut off.
     *
     * @param peak the load that raised the alarm, requests/s
     */
    SearchPhaseState alarmed(Riding dwell, AlarmDetector.RaisedAlarm raised, double peak, SearchInput window) {
        return decideNext(StepOutcome.ofCensoredStep(dwell, raised, peak, settings), window);
    }

    /**
     * The end, whatever is known.
     *
     * @param exhausted whether enough was seen of the most that can be had
     */
    SearchPhaseState finish(SearchContext common, BaselineProfile base, SearchHistory ride, boolean exhausted) {
        if (ride.belief().isPresent() && ride.felt()) {
            var estimate = estimate(ride, common.stalls());
            return new Ended(common.end(Action.DONE, String.format(Locale.ROOT,
                    "%.1f requests/s, between %.1f and %.1f with 95 %% confidence", estimate.capacity(),
                    estimate.low(), estimate.high()), Optional.of(estimate)));
        }
        if (exhausted) {
            double held = ride.capped().loadSeconds() / ride.capped().seconds();
            return new Ended(common.end(Action.EXHAUSTED, String.format(Locale.ROOT,
                    "%.1f requests/s held, and more cannot be had", held), Optional.of(bound(held))));
        }
        double held = ride.exposures().stream().filter(it -> !it.alarmed() && it.broken().isEmpty())
                .mapToDouble(SearchHistory.Exposure::load)
                .filter(load -> ride.alarms().stream().allMatch(alarm -> load < alarm))
                .max().orElse(0);
        return outOfTime(common, held > 0 ? Optional.of(bound(held)) : Optional.empty());
    }

    /** @param bound what held; empty when nothing did for long enough to learn from it */
    SearchPhaseState outOfTime(SearchContext common, Optional<CapacityEstimate> bound) {
        return new Ended(common.end(Action.GIVE_UP, bound.map(held -> String.format(Locale.ROOT,
                "no answer in time: %.1f requests/s held, and where the capacity is above that is not known",
                held.capacity())).orElse("no load could be held for long enough to learn from it"), bound));
    }

    private static CapacityEstimate bound(double held) {
        return new CapacityEstimate(held, held, Double.POSITIVE_INFINITY, OptionalDouble.of(held), Optional.empty());
    }

    private SearchPhaseState decideNext(StepOutcome lesson, SearchInput window) {
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
                ? dwell.common().knowing(Optional.of(estimate(ride, dwell.common().stalls())))
                : dwell.common();
        double most = window.mostRequestsPerSecond();
        if (calm >= CALM_DWELLS && dwell.target() < 0.98 * most
                && (outcome.binding() == 0 || farAbove(dwell.target(), ride))) {
            return ramp.begin(common, base, Optional.of(ride), dwell.target(), latency, window);
        }
        boolean exhausted = exhausted(ride, base);
        return exhausted || over(ride, base, common.senses().seconds())
                ? finish(common, base, ride, exhausted)
                : Dwell.begin(common, base, ride, target, latency, lesson.alarmed(), settings, window);
    }

    /** Whether there is room for a ramp below what is believed; a ramp into what breaks without a warning only hurts. */
    private static boolean farAbove(double load, SearchHistory ride) {
        var belief = ride.belief().orElseThrow();
        return belief.capacity() > 1.03 * load && Jump.of(belief.limit(), ride).isEmpty();
    }

    private boolean over(SearchHistory ride, BaselineProfile base, double seconds) {
        double ridden = seconds - ride.since();
        boolean sure = ride.belief().filter(it -> it.halfWidth() < settings.halfWidth()).isPresent()
                && ridden >= SearchSettings.seconds(settings.leastRide());
        boolean wide = ride.belief().filter(it -> it.halfWidth() < CapacityPosterior.WIDE).isEmpty();
        double patience = wide ? settings.patience() : 1;
        // While nothing is felt nobody is hurt, and there is no answer yet that could be given.
        boolean late = (ridden > patience * settings.longestRideSeconds(base) && ride.felt())
                || seconds > patience * SearchSettings.seconds(settings.longest()) * base.lowRateFactor();
        return sure || late;
    }

    /** Whether so much was seen at the most that can be had that the strictest limit would have shown. */
    private static boolean exhausted(SearchHistory ride, BaselineProfile base) {
        double smallestAllowance = base.allowed().values().stream().mapToDouble(AllowedRatio::ratio).min().orElse(1);
        return ride.capped().seconds() > CAPPED_SECONDS
                && ride.capped().requests() > FEWEST_PER_ALLOWED / smallestAllowance;
    }

    private double target(StepOutcome lesson, SearchHistory ride, double target) {
        if (ride.belief().isEmpty()) {
            boolean broken = !lesson.counted().broken().isEmpty();
            return lesson.alarmed() ? ALARMED * target : broken ? target : target * (1 + settings.raise());
        }
        var belief = ride.belief().get();
        boolean jumps = Jump.of(belief.limit(), ride).isPresent();
        if (lesson.alarmed()) {
            return Math.min(belief.ridden(), jumps ? BELOW_JUMP * target : target);
        }
        double next = Math.min(belief.ridden(), target * (1 + settings.raise()));
        // Where something breaks without a warning, that hardly anything exceeds says nothing.
        if (ride.retrograde() || jumps) {
            return next;
        }
        double quiet = ride.felt() ? settings.quiet() : 1;
        boolean hardlyAny = lesson.counted().tallies().entrySet().stream().allMatch(entry -> {
            double allowed = lesson.dwell().base().allowed(entry.getKey());
            double floor = lesson.dwell().base().floors().getOrDefault(entry.getKey(), ExceedanceCount.NONE).ratio();
            return entry.getValue().ratio() / allowed < Math.max(quiet, ABOVE_FLOOR * floor / allowed);
        });
        if (!hardlyAny) {
            return next;
        }
        double climbed = target * (1 + (ride.felt() ? settings.quietRaise() : QUIET_CLIMB));
        return Math.max(next, ride.felt() ? Math.min(climbed, belief.quiet()) : climbed);
    }

    private static boolean calm(StepOutcome lesson, double latency) {
        var base = lesson.dwell().base();
        return !lesson.alarmed() && latency < CALM_INFLATION * base.latency()
                && lesson.dwell().target() >= 0.9 * lesson.ride().highest()
                && lesson.counted().tallies().entrySet().stream().allMatch(entry -> {
                    double expected = entry.getValue().requests() * base.floor(entry.getKey());
                    return entry.getValue().exceeding() <= expected + 2 * Math.sqrt(expected + 1);
                });
    }

    private static Capped capped(StepOutcome lesson, SearchHistory ride, SearchInput window) {
        if (ride.felt()) {
            return Capped.NOT;
        }
        if (lesson.alarmed() || lesson.load() < CAPPED_PART * window.reachableRequestsPerSecond()) {
            return ride.capped();
        }
        double seconds = lesson.dwell().seconds();
        double requests = lesson.counted().tallies().values().stream().mapToDouble(ExceedanceCount::requests).max()
                .orElse(0);
        return new Capped(ride.capped().seconds() + seconds, ride.capped().requests() + requests,
                ride.capped().loadSeconds() + lesson.load() * seconds);
    }

    private static double unbroken(SearchHistory ride, CapacityPosterior belief) {
        return ride.exposures().stream().filter(it -> !it.alarmed() && it.broken().isEmpty())
                .mapToDouble(SearchHistory.Exposure::load).filter(load -> load <= belief.capacity()).max().orElse(0);
    }

    private CapacityEstimate estimate(SearchHistory ride, int stalls) {
        var belief = ride.belief().orElseThrow();
        var limit = Optional.ofNullable(ride.breaches().get(belief.limit()))
                .or(() -> ride.breaches().values().stream().findFirst());
        var held = ride.exposures().stream().filter(it -> !it.alarmed() && it.load() <= belief.capacity())
                .mapToDouble(SearchHistory.Exposure::load).max();
        var calibration = IntervalCalibration.of(ride, stalls);
        double low = calibration.low(belief.capacity(), belief.low() * (1 - settings.systematic()));
        // Between what holds and what breaks at once there is nothing that holds a little.
        double capacity = Jump.of(belief.limit(), ride).isPresent()
                ? Math.clamp(unbroken(ride, belief), low, belief.ridden())
                : belief.capacity();
        double high = calibration.high(belief.capacity(), belief.high() * (1 + settings.systematic()));
        return new CapacityEstimate(capacity, low, high, held, limit);
    }
}
