// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchHistory.Capped;
import io.redliner.analyzer.search.SearchPhaseState.Confirming;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Decides what follows a step: the next step, the ramp again, or the end of the search with its answer. */
final class NextStepDecider {

    private static final double MIN_PER_ALLOWED = 10;

    private static final double CAPPED_SECONDS = 25;

    private static final double CAPPED_PART = 0.94;

    private static final int STEPS_BELOW_KNEE = 2;

    private static final double BELOW_KNEE_INFLATION = 1.25;

    private static final double QUIET_CLIMB = 0.025;

    private static final double ABOVE_FLOOR = 1.3;

    /** Next target relative to the load of an alarm, for a limit that breaks without a warning. */
    private static final double BELOW_JUMP = 0.98;

    /** Next target relative to the load of an alarm, while there is no posterior. */
    private static final double ALARMED = 0.95;

    /** Half width of the interval, relative to the capacity, above which it is no answer. */
    private static final double MAX_HALF_WIDTH = 0.5;

    private final SearchSettings settings;

    private final RampPhase ramp;

    private final PosteriorEstimator estimator;

    NextStepDecider(SearchSettings settings, RampPhase ramp, PosteriorEstimator estimator) {
        this.settings = settings;
        this.ramp = ramp;
        this.estimator = estimator;
    }

    /** Decides after a step without an alarm. */
    SearchPhaseState uneventful(Confirming step, SearchInput window) {
        return decideNext(StepOutcome.ofCompletedStep(step, settings), window);
    }

    /**
     * Decides after a step that an alarm cut off.
     *
     * @param peak the load that raised the alarm, requests/s
     */
    SearchPhaseState alarmed(Confirming step, AlarmDetector.RaisedAlarm raised, double peak, SearchInput window) {
        return decideNext(StepOutcome.ofCensoredStep(step, raised, peak, settings), window);
    }

    /**
     * Ends the search with its estimate, or without an answer.
     *
     * @param exhausted true when the largest reachable load was held for long enough
     */
    SearchPhaseState finish(SearchContext common, BaselineProfile base, SearchHistory history, boolean exhausted) {
        var results = Optional.of(new SearchPhaseState.Results(base, history));
        if (history.posterior().isPresent() && history.kneeReached()) {
            var stepEstimate = estimate(history, common.stalls());
            // Loads that held are compared with the interval by steps: a narrower one would be contradicted by chance.
            var contradiction = Contradiction.of(stepEstimate, base, history.evidence());
            if (contradiction.isPresent()) {
                return new Ended(common.end(Action.GIVE_UP, contradiction.get(), Optional.of(stepEstimate)),
                        results);
            }
            var estimate = answer(stepEstimate, history, base, common);
            return new Ended(common.end(action(estimate), words(estimate)
                    + (isTooWide(estimate) ? "" : earlierRuns(estimate) + unreached(estimate)), Optional.of(estimate)),
                    results);
        }
        if (exhausted) {
            double held = history.capped().loadSeconds() / history.capped().seconds();
            return new Ended(common.end(Action.EXHAUSTED, String.format(Locale.ROOT,
                    "%.1f requests/s held, and more cannot be had", held), Optional.of(bound(held))), results);
        }
        double held = history.evidence().exposures().stream().filter(it -> !it.alarmed() && it.broken().isEmpty())
                .mapToDouble(StepEvidence.Exposure::load)
                .filter(load -> history.evidence().alarms().stream().allMatch(alarm -> load < alarm))
                .max().orElse(0);
        return outOfTime(common, held > 0 ? Optional.of(bound(held)) : Optional.empty(), results);
    }

    /** Returns the action that ends a search with this estimate. */
    static Action action(CapacityEstimate estimate) {
        return isTooWide(estimate) ? Action.GIVE_UP : Action.DONE;
    }

    /** Returns the words that end a search with this estimate. */
    static String words(CapacityEstimate estimate) {
        return isTooWide(estimate)
                ? String.format(Locale.ROOT,
                        "no answer in time: the capacity is between %.1f and %.1f requests/s with 95 %% confidence, "
                                + "which is too wide; a longer maxDuration or more traffic makes it narrower",
                        estimate.low(), estimate.high())
                : String.format(Locale.ROOT, "%.1f requests/s, between %.1f and %.1f with 95 %% confidence",
                        estimate.capacity(), estimate.low(), estimate.high());
    }

    private static boolean isTooWide(CapacityEstimate estimate) {
        return estimate.halfWidth() > MAX_HALF_WIDTH;
    }

    /** Returns the estimate to report, from that by steps. */
    private static CapacityEstimate answer(CapacityEstimate stepEstimate, SearchHistory history, BaselineProfile base,
            SearchContext common) {
        return FinalEstimate.of(stepEstimate, history, base, common)
                .map(last -> new CapacityEstimate(last.capacity(), last.low(), last.high(),
                        held(history, last.capacity()), last.limit()))
                .filter(last -> Contradiction.of(last, base, history.evidence()).isEmpty())
                .orElse(stepEstimate);
    }

    private String unreached(CapacityEstimate estimate) {
        double halfWidth = halfWidth(estimate);
        return settings.stop().goal().precision().filter(wanted -> halfWidth > wanted.halfWidth())
                .map(wanted -> String.format(Locale.ROOT,
                        "; half the width is %.1f %% of it, and the plan asks for %.1f %%: the time for it was over",
                        100 * halfWidth, 100 * wanted.halfWidth()))
                .orElse("");
    }

    private String earlierRuns(CapacityEstimate estimate) {
        return settings.stop().goal().known().filter(known -> known.with(estimate).runs() == 1)
                .map(known -> String.format(Locale.ROOT,
                        "; earlier runs found %.1f, between %.1f and %.1f: they do not count any more",
                        known.capacity(), known.low(), known.high()))
                .orElse("");
    }

    /** Returns the relative half width of the interval, with earlier runs where they count. */
    private double halfWidth(CapacityEstimate estimate) {
        return settings.stop().goal().known().map(known -> known.with(estimate).halfWidth())
                .orElseGet(estimate::halfWidth);
    }

    /** @param bound estimate from the highest load that held; empty when none was held for long enough */
    SearchPhaseState outOfTime(SearchContext common, Optional<CapacityEstimate> bound,
            Optional<SearchPhaseState.Results> results) {
        return new Ended(common.end(Action.GIVE_UP, bound.map(held -> String.format(Locale.ROOT,
                "no answer in time: %.1f requests/s held, and where the capacity is above that is not known",
                held.capacity())).orElse("no load could be held for long enough to learn from it"), bound), results);
    }

    /** Returns the estimate from a load that held, above which nothing is known. */
    static CapacityEstimate bound(double held) {
        return new CapacityEstimate(held, held, Double.POSITIVE_INFINITY, OptionalDouble.of(held), Optional.empty());
    }

    private SearchPhaseState decideNext(StepOutcome stepOutcome, SearchInput window) {
        var step = stepOutcome.step();
        double latency = step.counted().completed() > 0 ? step.counted().latency() : step.latency();
        var base = step.base();
        var outcome = estimator.of(stepOutcome.history(), base, step.common().signals());
        var history = outcome.posterior()
                .map(it -> stepOutcome.history().withPosterior(it, outcome.kneeReached()).within(it))
                .orElse(stepOutcome.history());
        double target = target(stepOutcome, history, step.target());
        int stepsBelowKnee = isBelowKnee(stepOutcome, latency) ? history.stepsBelowKnee() + 1 : 0;
        history = history.counting(stepsBelowKnee, capped(stepOutcome, history, window));
        var common = outcome.posterior().isPresent()
                ? step.common().knowing(Optional.of(estimate(history, step.common().stalls())))
                : step.common();
        double most = window.loads().most();
        if (stepsBelowKnee >= STEPS_BELOW_KNEE && step.target() < 0.98 * most
                && (outcome.binding() == 0 || farAbove(step.target(), history))) {
            return ramp.begin(common, base, Optional.of(history), step.target(), latency, window);
        }
        boolean exhausted = exhausted(history, base);
        return exhausted || over(history, base, common)
                ? finish(common, base, history, exhausted)
                : ConfirmStep.begin(common, base, history, target, latency, stepOutcome.alarmed(), settings, window);
    }

    /** Returns true when the posterior leaves room for another ramp; false for a limit that breaks without a warning. */
    private static boolean farAbove(double load, SearchHistory history) {
        var posterior = history.posterior().orElseThrow();
        return posterior.capacity() > 1.03 * load && Jump.of(posterior.limit(), history.evidence()).isEmpty();
    }

    private boolean over(SearchHistory history, BaselineProfile base, SearchContext common) {
        double seconds = common.signals().seconds();
        double confirmingSeconds = seconds - history.since();
        boolean wide = history.posterior().filter(it -> it.halfWidth() < CapacityPosterior.WIDE).isEmpty();
        double extension = wide ? settings.stop().extension() : 1;
        // Below the knee no user is affected, and there is no answer yet.
        boolean late = (confirmingSeconds > extension * settings.maxConfirmSeconds(base) && history.kneeReached())
                || seconds > extension * settings.maxSeconds(base);
        return late || narrow(history, base, common, confirmingSeconds);
    }

    private boolean narrow(SearchHistory history, BaselineProfile base, SearchContext common,
            double confirmingSeconds) {
        var precision = settings.stop().goal().precision();
        if (precision.isPresent()) {
            return confirmingSeconds >= SearchGoal.MIN_SECONDS && history.kneeReached()
                    && history.posterior().isPresent()
                    && halfWidth(answer(estimate(history, common.stalls()), history, base, common)) <= precision.get()
                            .halfWidth();
        }
        return history.posterior().filter(it -> it.halfWidth() < settings.stop().halfWidth()).isPresent()
                && confirmingSeconds >= SearchSettings.seconds(settings.stop().minConfirmTime());
    }

    /** Returns true when the largest load was held for enough requests to show exceedances of the strictest limit. */
    private static boolean exhausted(SearchHistory history, BaselineProfile base) {
        double smallestAllowance = base.allowed().values().stream().mapToDouble(AllowedRatio::ratio).min().orElse(1);
        return history.capped().seconds() > CAPPED_SECONDS
                && history.capped().requests() > MIN_PER_ALLOWED / smallestAllowance;
    }

    private double target(StepOutcome stepOutcome, SearchHistory history, double target) {
        if (history.posterior().isEmpty()) {
            boolean broken = !stepOutcome.counted().broken().isEmpty();
            return stepOutcome.alarmed()
                    ? ALARMED * target
                    : broken ? target : target * (1 + settings.target().raise());
        }
        var posterior = history.posterior().get();
        boolean jumps = Jump.of(posterior.limit(), history.evidence()).isPresent();
        if (stepOutcome.alarmed()) {
            return Math.min(posterior.tracked(), jumps ? BELOW_JUMP * target : target);
        }
        double next = Math.min(posterior.tracked(), target * (1 + settings.target().raise()));
        // For a limit that breaks without a warning, few exceedances are no evidence of headroom.
        if (history.retrograde() || jumps) {
            return next;
        }
        double quiet = history.kneeReached() ? settings.target().quiet() : 1;
        boolean hardlyAny = stepOutcome.counted().exceedances().entrySet().stream().allMatch(entry -> {
            double allowed = stepOutcome.step().base().allowed(entry.getKey());
            double floor = stepOutcome.step().base().floors().getOrDefault(entry.getKey(), ExceedanceCount.NONE)
                    .ratio();
            return entry.getValue().ratio() / allowed < Math.max(quiet, ABOVE_FLOOR * floor / allowed);
        });
        if (!hardlyAny) {
            return next;
        }
        double climbed = target * (1 + (history.kneeReached() ? settings.target().quietRaise() : QUIET_CLIMB));
        return Math.max(next, history.kneeReached() ? Math.min(climbed, posterior.quiet()) : climbed);
    }

    private static boolean isBelowKnee(StepOutcome stepOutcome, double latency) {
        var base = stepOutcome.step().base();
        return !stepOutcome.alarmed() && latency < BELOW_KNEE_INFLATION * base.latency()
                && stepOutcome.step().target() >= 0.9 * stepOutcome.history().evidence().highest()
                && stepOutcome.counted().exceedances().entrySet().stream().allMatch(entry -> {
                    double expected = entry.getValue().requests() * base.floor(entry.getKey());
                    return entry.getValue().exceeding() <= expected + 2 * Math.sqrt(expected + 1);
                });
    }

    private static Capped capped(StepOutcome stepOutcome, SearchHistory history, SearchInput window) {
        if (history.kneeReached()) {
            return Capped.NOT;
        }
        if (stepOutcome.alarmed() || stepOutcome.load() < CAPPED_PART * window.loads().reachable()) {
            return history.capped();
        }
        double seconds = stepOutcome.step().length().seconds();
        double requests = stepOutcome.counted().exceedances().values().stream().mapToDouble(ExceedanceCount::requests)
                .max()
                .orElse(0);
        return new Capped(history.capped().seconds() + seconds, history.capped().requests() + requests,
                history.capped().loadSeconds() + stepOutcome.load() * seconds);
    }

    private static double unbroken(SearchHistory history, CapacityPosterior posterior) {
        return history.evidence().exposures().stream().filter(it -> !it.alarmed() && it.broken().isEmpty())
                .mapToDouble(StepEvidence.Exposure::load).filter(load -> load <= posterior.capacity()).max().orElse(0);
    }

    private CapacityEstimate estimate(SearchHistory history, int stalls) {
        var posterior = history.posterior().orElseThrow();
        var limit = Optional.ofNullable(history.evidence().breaches().get(posterior.limit()))
                .or(() -> history.evidence().breaches().values().stream().findFirst());
        var calibration = IntervalCalibration.of(history, stalls);
        double low = calibration.low(posterior.capacity(), posterior.low() * (1 - settings.likelihood().systematic()));
        // For a limit that breaks without a warning, the capacity is a load that held.
        double capacity = Jump.of(posterior.limit(), history.evidence()).isPresent()
                ? Math.clamp(unbroken(history, posterior), low, posterior.tracked())
                : posterior.capacity();
        double high = calibration.high(posterior.capacity(),
                posterior.high() * (1 + settings.likelihood().systematic()));
        return new CapacityEstimate(capacity, low, high, held(history, posterior.capacity()), limit);
    }

    /** Returns the highest load up to the capacity that was held without an alarm. */
    private static OptionalDouble held(SearchHistory history, double capacity) {
        return history.evidence().exposures().stream().filter(it -> !it.alarmed() && it.load() <= capacity)
                .mapToDouble(StepEvidence.Exposure::load).max();
    }
}
