// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.LoadProfile.Level;
import io.redliner.controller.core.run.LoadProfile.Point;
import io.redliner.controller.core.run.LoadProfile.Signal;
import io.redliner.controller.core.run.ProfileFindings.BatchMeanEstimate;
import io.redliner.controller.core.run.ProfileFindings.Figure;
import io.redliner.controller.core.run.StepPlanDecider.Advice;
import io.redliner.controller.plan.NumberText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Goes to a load below the known capacity, stays there, and compares what is measured with what was measured at that load. */
final class RecheckSteps {

    /** Time at the natural load after a burst of late requests. */
    private static final Duration PAUSE = Duration.ofSeconds(3);

    /** Largest relative difference with which a capacity is reported to be as before. */
    private static final double MAX_WITHIN = 0.15;

    /** Ratio of the natural load to the lowest known one below which the known loads are those of another service. */
    private static final double MIN_OF_LOWEST = 0.4;

    /** Ratio of the held load to the known capacity below which latency tells nothing of the capacity. */
    private static final double MIN_OF_CAPACITY = 0.5;

    /** Ratio of the median latencies at the natural load from which on it is no longer the same service. */
    private static final double OTHER_LATENCY = 1.3;

    /** Shortest time at the load after which a smaller capacity ends the hold. A server may be slow for some seconds at any load. */
    private static final double MIN_HELD_SECONDS = 15;

    /** Longest time at the natural load for an instance that warms up. */
    private static final double WARM_UP_SECONDS = 20;

    /** Ratio of missing windows to counted ones from which on there is no answer. */
    private static final double MAX_MISSING = 0.2;

    private static final int MAX_MISSED = 1_000;

    private static final String RUN_A_FULL_TEST = ", run a full test";

    private static final String UNEXPLAINED = "no capacity explains all that is measured";

    private static final String LOAD = "load";

    private static final String CPU_PER_LOAD = "cpu per load";

    private static final String NATURAL = "natural ";

    private static final String PEERS = "peers latency.p50";

    private static final String SLOW_PEERS = "slow peers";

    private static final String MISSED = "missed";

    private RecheckSteps() {}

    /** Returns the logarithms of what was measured in a window, by gauge. */
    static Map<String, Double> natural(WindowSample window) {
        Map<String, Double> gauges = new HashMap<>();
        values(window).forEach((signal, value) -> gauges.put(NATURAL + name(signal), Math.log(value)));
        Double peers = window.verdict().peers().latencyP50();
        if (peers != null) {
            gauges.put(NATURAL + PEERS, peers);
        }
        return gauges;
    }

    /** Returns true when the peers are slow as well, compared with their windows at the natural load of this run. */
    private static boolean slowPeers(StepPlanProgress progress, WindowSample window) {
        Double peers = window.verdict().peers().latencyP50();
        double[] natural = progress.gauges().getOrDefault(NATURAL + PEERS, BatchMeans.NONE).means().stream()
                .mapToDouble(Double::doubleValue).sorted().toArray();
        return peers != null && natural.length > 0 && peers > LoadProfile.NOISY * natural[natural.length / 2];
    }

    private static Map<String, Double> held(WindowSample window) {
        Map<String, Double> gauges = new HashMap<>();
        values(window).forEach((signal, value) -> gauges.put(name(signal), Math.log(value)));
        gauges.put(LOAD, window.arrived());
        Double cpu = values(window).get(Signal.CPU);
        if (cpu != null && window.arrived() > 0) {
            gauges.put(CPU_PER_LOAD, Math.log(cpu / window.arrived()));
        }
        return gauges;
    }

    private static Map<Signal, Double> values(WindowSample window) {
        Map<Signal, Double> values = LoadProfiles.values(window.verdict().sut());
        values.values().removeIf(value -> value <= 0);
        return values;
    }

    private static String name(Signal signal) {
        return switch (signal) {
            case LATENCY_P50 -> "latency.p50";
            case LATENCY_P99 -> "latency.p99";
            case CPU -> "cpu";
        };
    }

    static Advice begin(StepPlan.Recheck plan, StepPlanProgress progress, WindowSample window) {
        double natural = window.loads().natural();
        double lowest = plan.loadProfile().points().getFirst().requestsPerSecond();
        if (natural < MIN_OF_LOWEST * lowest) {
            return Advice.of(progress, unknown("the natural load is " + NumberText.round(natural)
                    + " requests/s, and nothing is known below " + NumberText.round(lowest)));
        }
        return otherLatency(plan, progress, natural)
                .map(ratio -> Advice.of(progress, RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.MOVED,
                        "moved: the median latency at the natural load of " + NumberText.round(natural)
                                + " requests/s is " + NumberText.round(ratio)
                                + " times as long as it was" + RUN_A_FULL_TEST)))
                .orElseGet(() -> Advice.of(progress.wanting(
                        StepPlanDecider.rising(progress, goal(plan, window), plan.ramp(), window), window.loads()),
                        null));
    }

    /** Returns true while the latency at the natural load may only be that of an instance that warms up. */
    static boolean warmingUp(StepPlan.Recheck plan, StepPlanProgress progress, WindowSample window) {
        return progress.attendance().known() * window.seconds() < WARM_UP_SECONDS
                && otherLatency(plan, progress, window.loads().natural()).isPresent();
    }

    /** Returns the ratio of the median latencies now and before, when it is far above 1. */
    private static Optional<Double> otherLatency(StepPlan.Recheck plan, StepPlanProgress progress, double natural) {
        BatchMeans before = progress.gauges().getOrDefault(NATURAL + name(Signal.LATENCY_P50), BatchMeans.NONE);
        // The second half: an instance that is warming up is slower in the first.
        List<Double> means = before.means().subList(before.means().size() / 2, before.means().size());
        if (means.size() < 2 || !(natural > 0)) {
            return Optional.empty();
        }
        double mean = means.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double squares = means.stream().mapToDouble(value -> Math.pow(value - mean, 2)).sum();
        double error = Math.sqrt(squares / (means.size() - 1) / means.size());
        return RisingCurve.of(plan.loadProfile(), Signal.LATENCY_P50).map(curve -> curve.at(Math.log(natural)))
                .filter(known -> mean - known.mean() > Math.log(OTHER_LATENCY)
                        + 3 * Math.hypot(error, known.error()))
                .map(known -> Math.exp(mean - known.mean()));
    }

    private static double goal(StepPlan.Recheck plan, WindowSample window) {
        return Math.max(window.loads().natural(),
                Math.min(plan.goal().at(window.loads().service()), window.loads().most()));
    }

    static Advice next(StepPlan.Recheck plan, StepPlanProgress before, WindowSample window) {
        double goal = goal(plan, window);
        boolean there = window.at(goal);
        StepPlanProgress progress = before.after(window, there, false);
        if (progress.stage() == StepPlanStage.HOLDING && window.known() && there) {
            progress = slowPeers(progress, window)
                    ? progress.measured(Map.of(SLOW_PEERS, 1.0))
                    : progress.measured(window, held(window));
        }
        String broken = progress.alarm().raised();
        boolean held = progress.stage() == StepPlanStage.HOLDING;
        long missed = held ? progress.attendance().missing() - before.attendance().missing() : 0;
        for (int one = 0; one < Math.min(missed, MAX_MISSED); one++) {
            progress = progress.measured(Map.of(MISSED, 1.0));
        }
        boolean waiting = progress.level() > 0 && window.end().isBefore(progress.since());
        if (broken != null && (waiting || (isBurst(progress, window)
                && (!held || heldSeconds(progress, window) < MIN_HELD_SECONDS || !isSmaller(plan, progress))))) {
            double natural = window.loads().natural();
            StepPlanProgress after = progress.level() == 0
                    ? progress.enter(StepPlanStage.RISING, window.end(), natural).dropping(natural)
                    : progress;
            return Advice.of(afterBurst(after, window), null);
        }
        if (broken != null) {
            return Advice.of(progress, broken(plan, progress, window, broken));
        }
        if (progress.stage() == StepPlanStage.RISING && there) {
            progress = progress.enter(StepPlanStage.HOLDING, window.end(), window.loads().natural());
        }
        boolean holding = progress.stage() == StepPlanStage.HOLDING;
        if (holding) {
            Optional<RunEnd> answer = heldSeconds(progress, window)
                    + count(progress, SLOW_PEERS) * window.seconds() >= plan.hold().toMillis() / 1e3 - 1e-6
                            ? Optional.of(answer(plan, progress))
                            : heldSeconds(progress, window) >= MIN_HELD_SECONDS
                                    ? early(plan, progress)
                                    : Optional.empty();
            if (answer.isPresent()) {
                return Advice.of(progress, answer.get());
            }
        }
        double wanted = holding ? goal : StepPlanDecider.rising(progress, goal, plan.ramp(), window);
        return Advice.of(progress.wanting(wanted, window.loads()), null);
    }

    /** Returns the measurements at the held load; empty while they are too few. */
    private static Optional<Point> point(StepPlan.Recheck plan, StepPlanProgress progress) {
        return level(progress, LOAD).filter(load -> load.mean() > 0).map(load -> {
            SortedMap<Signal, Level> levels = new TreeMap<>();
            for (Signal signal : Signal.values()) {
                level(progress, name(signal)).ifPresent(level -> levels.put(signal, level));
            }
            // CPU follows the load as it goes up and down; only what is left of its movement is an error.
            level(progress, CPU_PER_LOAD).ifPresent(ratio -> levels.computeIfPresent(Signal.CPU,
                    (unused, level) -> new Level(level.mean(), ratio.error())));
            RuleCounts counts = progress.ruleCounts().get(plan.loadProfile().rule());
            return new Point(load.mean(), levels, counts == null ? 0 : counts.requests(),
                    counts == null ? 0 : counts.exceeding(), 1);
        });
    }

    private static Optional<Level> level(StepPlanProgress progress, String gauge) {
        return BatchMeanEstimate.of(progress.gauges().getOrDefault(gauge, BatchMeans.NONE))
                .map(mean -> new Level(mean.mean(), mean.error()));
    }

    private static RunEnd broken(StepPlan.Recheck plan, StepPlanProgress progress, WindowSample window, String why) {
        Optional<RecheckComparison.Factors> measured = factors(plan, progress);
        String where = "the SLA is broken at " + NumberText.round(window.arrived()) + " requests/s";
        if (slowPeers(progress, window)) {
            return unknown(where + ", and the peers were slow, too", why);
        }
        if (measured.filter(factors -> !factors.explained()).isPresent()) {
            return unknown(where + ", and " + UNEXPLAINED, why);
        }
        return measured.filter(factors -> factors.within() <= MAX_WITHIN).isPresent()
                ? unknown(where + ", and all that is measured is as it was", why)
                : RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.MOVED,
                        "moved: " + where + ", below the known capacity of "
                                + NumberText.round(plan.capacity().capacity()) + RUN_A_FULL_TEST + "; " + why);
    }

    /** Returns true when late requests may be a burst that comes at any load: the first one, or its end. */
    static boolean isBurst(StepPlanProgress progress, WindowSample window) {
        return progress.level() == 0 || window.end().isBefore(progress.since());
    }

    /** Returns the progress that waits for the end of a burst; late requests are counted anew. */
    static StepPlanProgress afterBurst(StepPlanProgress progress, WindowSample window) {
        return progress.level() == 0
                ? progress.climb(window.end().plus(PAUSE))
                : progress.with(WindowCounts.NONE, CusumAlarm.QUIET);
    }

    private static double heldSeconds(StepPlanProgress progress, WindowSample window) {
        return count(progress, LOAD) * window.seconds();
    }

    private static int count(StepPlanProgress progress, String gauge) {
        BatchMeans means = progress.gauges().getOrDefault(gauge, BatchMeans.NONE);
        return means.means().size() * means.size() + means.count();
    }

    private static boolean isSmaller(StepPlan.Recheck plan, StepPlanProgress progress) {
        return factors(plan, progress).filter(factors -> factors.explained() && factors.smaller()).isPresent();
    }

    private static Optional<RecheckComparison.Factors> factors(StepPlan.Recheck plan, StepPlanProgress progress) {
        return point(plan, progress)
                .map(now -> new RecheckComparison(plan.loadProfile(), now).factors(RecheckComparison.SURE));
    }

    /** Ends a hold at once when the capacity has become smaller beyond doubt. */
    private static Optional<RunEnd> early(StepPlan.Recheck plan, StepPlanProgress progress) {
        return point(plan, progress).flatMap(now -> {
            RecheckComparison.Factors factors = new RecheckComparison(plan.loadProfile(), now)
                    .factors(RecheckComparison.BEYOND_DOUBT);
            return factors.explained() && factors.smaller()
                    ? Optional.of(moved(plan, now, factors))
                    : Optional.empty();
        });
    }

    private static RunEnd answer(StepPlan.Recheck plan, StepPlanProgress progress) {
        int slow = count(progress, SLOW_PEERS);
        int quiet = count(progress, LOAD);
        if (slow > quiet) {
            return unknown("the peers were slow, too, in " + slow + " of " + (slow + quiet) + " windows of the hold");
        }
        int missed = count(progress, MISSED);
        Optional<Point> measured = point(plan, progress);
        if (measured.isEmpty()) {
            return unknown("only " + quiet + " windows of the hold measured anything");
        }
        if (missed > MAX_MISSING * (slow + quiet)) {
            return unknown(missed + " windows of the hold said nothing, " + (slow + quiet) + " did");
        }
        Point now = measured.get();
        double capacity = plan.capacity().capacity();
        if (now.requestsPerSecond() < MIN_OF_CAPACITY * capacity) {
            return unknown("it was held at " + NumberText.round(now.requestsPerSecond())
                    + " requests/s, less than half of the known capacity of " + NumberText.round(capacity));
        }
        RecheckComparison comparison = new RecheckComparison(plan.loadProfile(), now);
        if (comparison.empty()) {
            return unknown("neither latency nor CPU was measured in both runs");
        }
        RecheckComparison.Factors factors = comparison.factors(RecheckComparison.SURE);
        if (!factors.explained()) {
            return unknown(UNEXPLAINED, figures(plan, now));
        }
        if (factors.smaller() || factors.larger()) {
            return moved(plan, now, factors);
        }
        double within = factors.within();
        return within <= MAX_WITHIN
                ? RunEnd.of(RunOutcome.PASSED, StopCode.AS_BEFORE,
                        "as before, within " + NumberText.percent(Math.ceil(100 * within)
                                / 100) + " of " + NumberText.round(capacity) + " ("
                                + NumberText.round(plan.capacity().low()) + " to "
                                + NumberText.round(plan.capacity().high()) + ") requests/s; " + figures(plan, now))
                : unknown(times(plan, factors), figures(plan, now));
    }

    private static RunEnd unknown(String why) {
        return RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.MOVE_UNKNOWN, "cannot tell: " + why + RUN_A_FULL_TEST);
    }

    private static RunEnd unknown(String why, String figures) {
        return RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.MOVE_UNKNOWN,
                "cannot tell: " + why + RUN_A_FULL_TEST + "; " + figures);
    }

    private static RunEnd moved(StepPlan.Recheck plan, Point now, RecheckComparison.Factors factors) {
        return RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.MOVED,
                "moved: " + times(plan, factors) + RUN_A_FULL_TEST + "; " + figures(plan, now));
    }

    private static String times(StepPlan.Recheck plan, RecheckComparison.Factors factors) {
        String range = NumberText.round(factors.low()) + " to " + NumberText.round(factors.high());
        if (factors.openBelow()) {
            range = factors.openAbove() ? "any number of" : "at most " + NumberText.round(factors.high());
        } else if (factors.openAbove()) {
            range = "at least " + NumberText.round(factors.low());
        }
        return "the capacity is " + range + " times the known one of " + NumberText.round(plan.capacity().capacity())
                + " requests/s";
    }

    /** Returns what was measured, each beside what it was. */
    private static String figures(StepPlan.Recheck plan, Point now) {
        List<String> clauses = new ArrayList<>();
        for (Signal signal : now.levels().keySet()) {
            RisingCurve.of(plan.loadProfile(), signal).ifPresent(curve -> clauses.add(
                    name(signal) + " " + value(signal, now.level(signal).orElseThrow()) + " instead of "
                            + value(signal, curve.at(now.lnLoad()))));
        }
        return String.join(", ", clauses) + " at " + NumberText.round(now.requestsPerSecond()) + " requests/s";
    }

    private static String value(Signal signal, Level level) {
        return NumberText.measure(Math.exp(level.mean()), unit(signal));
    }

    private static String unit(Signal signal) {
        return signal == Signal.CPU ? "ratio" : "seconds";
    }

    /** Returns the figures of a recheck so far, {@code known} are those of the earlier run at that load. */
    static List<Figure> findings(StepPlan.Recheck plan, StepPlanProgress progress) {
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure("capacity.known", plan.capacity().capacity(), "requests/s"));
        point(plan, progress).ifPresent(now -> {
            figures.add(new Figure(LOAD, now.requestsPerSecond(), "requests/s"));
            for (Signal signal : now.levels().keySet()) {
                figures.add(figure(name(signal), signal, now.level(signal).orElseThrow()));
                RisingCurve.of(plan.loadProfile(), signal).ifPresent(curve -> figures
                        .add(figure(name(signal) + ".known", signal, curve.at(now.lnLoad()))));
            }
            RecheckComparison comparison = new RecheckComparison(plan.loadProfile(), now);
            if (!comparison.empty()) {
                RecheckComparison.Factors factors = comparison.factors(RecheckComparison.SURE);
                if (!factors.openBelow()) {
                    figures.add(new Figure("capacity.factor.low", factors.low(), "ratio"));
                }
                if (!factors.openAbove()) {
                    figures.add(new Figure("capacity.factor.high", factors.high(), "ratio"));
                }
            }
        });
        return figures;
    }

    private static Figure figure(String name, Signal signal, Level level) {
        return new Figure(name.toLowerCase(Locale.ROOT), Math.exp(level.mean()), unit(signal));
    }
}
