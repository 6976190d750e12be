// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.KneeLikelihood.Nearness;
import io.redliner.analyzer.search.KneeLikelihood.Saturation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Computes the posterior of the capacity: the distribution of the smallest capacity over all binding limits. Each call computes it
 * from the whole history; likelihoods are kept between calls only to save time. For one thread.
 */
final class PosteriorEstimator {

    /** Minimum number of exceedances of a limit that binds. */
    private static final double MIN_EXCEEDING = 3;

    /** Part of the allowed exceedances above which a limit binds. */
    private static final double SIGNIFICANT_PART_OF_ALLOWANCE = 0.1;

    /** Number of newest alarms whose mean load is used. */
    private static final int LAST_ALARMS = 6;

    /** Exponent of the low-rate factor: with few requests the interval is wider. */
    private static final double LOW_RATE_EXPONENT = 0.25;

    /** The knee counts as reached when it lies at or below the highest load with more than this probability. */
    private static final double KNEE_PROBABILITY = 0.8;

    /** Quantile: while the interval is wide, a load nearer to the knee is more informative. */
    private static final double TRACKED_WHILE_WIDE = 0.4;

    private final SearchSettings settings;

    private final Map<String, KneeLikelihood> likelihoods = new HashMap<>();

    /**
     * The posterior and its limits.
     *
     * @param posterior empty while no limit binds
     * @param binding number of binding limits
     * @param kneeReached true when the knee lies at or below the highest load tried
     */
    record Outcome(Optional<CapacityPosterior> posterior, int binding, boolean kneeReached) {}

    PosteriorEstimator(SearchSettings settings) {
        this.settings = settings;
    }

    /** Returns the posterior of the capacity after the steps so far. */
    Outcome of(SearchHistory history, BaselineProfile base, SutSignals signals) {
        var grid = LatticeRefinement.grid(lattice(history));
        var saturation = saturation(history, signals);
        var limits = new BindingLimits(grid);
        boolean kneeReached = history.kneeReached() || !history.evidence().alarms().isEmpty() || history.retrograde();
        kneeReached |= addKnees(limits, history, base, saturation);
        kneeReached |= addJumps(limits, history.evidence());
        if (history.retrograde()) {
            limits.replace("", CollapseHazard.cumulative(grid, history.evidence().exposures(), base,
                    history.evidence().breaches().keySet()));
        }
        if (limits.medians.isEmpty()) {
            return new Outcome(Optional.empty(), 0, kneeReached);
        }
        double widening = settings.likelihood().widening() * Math.pow(base.lowRateFactor(), LOW_RATE_EXPONENT);
        return new Outcome(
                Optional.of(posterior(grid, limits.survival, saturation, limits.strictest(), widening,
                        history.retrograde())),
                limits.medians.size(), kneeReached);
    }

    /** Adds the limits whose exceedances grow with the load. Returns true when the knee of one of them was reached. */
    private boolean addKnees(BindingLimits limits, SearchHistory history, BaselineProfile base,
            Optional<Saturation> saturation) {
        var evidence = history.evidence();
        double tempering = LikelihoodTempering.of(evidence.latencies(), settings);
        var near = new Nearness(evidence.alarms().isEmpty() ? evidence.highest() : meanOfLast(evidence.alarms()),
                base.lowRateFactor());
        boolean kneeReached = false;
        for (var entry : evidence.blocks().entrySet()) {
            if (!binds(entry.getKey(), entry.getValue(), base, history.retrograde())) {
                continue;
            }
            var likelihood = likelihood(entry.getKey(), history, base);
            double[] anywhere = LatticeRefinement.weights(likelihood.posterior(tempering, saturation));
            limits.add(entry.getKey(), centred(near.applied(limits.grid, anywhere, settings.knee().nearness())));
            kneeReached |= atOrBelow(centred(anywhere), limits.grid, 1.01 * evidence.highest()) > KNEE_PROBABILITY;
        }
        return kneeReached;
    }

    /** Adds the limits whose values jump at the capacity. Returns true when there is one. */
    private static boolean addJumps(BindingLimits limits, StepEvidence evidence) {
        boolean jumped = false;
        for (String limit : Jump.limits(evidence)) {
            var cumulative = Jump.of(limit, evidence).map(jump -> jump.cumulative(limits.grid))
                    .or(() -> Jump.fit(limit, evidence).map(fit -> fit.cumulative(limits.grid)));
            cumulative.ifPresent(distribution -> limits.add(limit, distribution));
            jumped |= cumulative.isPresent();
        }
        return jumped;
    }

    /** The binding limits: the median capacity of each, and the probability that the smallest capacity is above each grid point. */
    private static final class BindingLimits {

        private final double[] grid;

        private final double[] survival;

        private final TreeMap<String, Double> medians = new TreeMap<>();

        BindingLimits(double[] grid) {
            this.grid = grid;
            this.survival = new double[grid.length];
            Arrays.fill(survival, 1);
        }

        void add(String limit, double[] cumulative) {
            medians.put(limit, quantile(grid, cumulative, 0.5));
            Arrays.setAll(survival, i -> survival[i] * (1 - cumulative[i]));
        }

        /** Replaces the distribution of all limits so far. */
        void replace(String limit, double[] cumulative) {
            medians.put(limit, quantile(grid, cumulative, 0.5));
            Arrays.setAll(survival, i -> 1 - cumulative[i]);
        }

        /** Returns the limit with the smallest median capacity. */
        String strictest() {
            return medians.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
        }
    }

    private CapacityPosterior posterior(double[] grid, double[] survival, Optional<Saturation> saturation, String limit,
            double widening, boolean retrograde) {
        var weights = new double[grid.length];
        double before = 0;
        for (int i = 0; i < grid.length; i++) {
            double now = Math.max(before, 1 - survival[i]);
            weights[i] = now - before;
            before = now;
        }
        double[] cumulative = cumulative(saturation.map(it -> notAbove(it, grid, weights)).orElse(weights));
        double median = quantile(grid, cumulative, 0.5);
        double low = median * Math.pow(quantile(grid, cumulative, 0.025) / median, widening);
        double high = median * Math.pow(quantile(grid, cumulative, 0.975) / median, widening);
        boolean wide = (high - low) / (2 * median) > CapacityPosterior.WIDE && !retrograde;
        return new CapacityPosterior(median, low, high,
                quantile(grid, cumulative, wide ? TRACKED_WHILE_WIDE : settings.target().quantile()),
                quantile(grid, cumulative, settings.target().quietQuantile()), limit);
    }

    /** Cuts off capacities above the throughput in saturation, unless that contradicts all other evidence. */
    private static double[] notAbove(Saturation saturation, double[] grid, double[] weights) {
        var cut = new double[grid.length];
        double total = 0;
        for (int i = 0; i < grid.length; i++) {
            double z = Math.max(0, grid[i] - Math.log(saturation.throughput())) / saturation.error();
            cut[i] = weights[i] * Math.exp(-0.5 * z * z);
            total += cut[i];
        }
        return total > 1e-6 ? cut : weights;
    }

    private static boolean binds(String limit, List<ExceedancePoint> blocks, BaselineProfile base, boolean retrograde) {
        double exceeding = blocks.stream().mapToDouble(ExceedancePoint::exceeding).sum();
        double requests = blocks.stream().mapToDouble(ExceedancePoint::requests).sum();
        double allowed = base.allowed(limit);
        return exceeding >= MIN_EXCEEDING && exceeding / requests > SIGNIFICANT_PART_OF_ALLOWANCE * allowed
                && (!retrograde || blocks.stream().anyMatch(it -> it.exceeding() > 0.5 * allowed * it.requests()));
    }

    /**
     * Returns the blocks of the approach and of the steps, in the order in which they were first used. Earlier blocks keep their
     * places, so that their likelihood need not be computed again.
     */
    private List<ExceedancePoint> inOrder(List<ExceedancePoint> approach, List<ExceedancePoint> steps,
            double highest) {
        double part = settings.knee().approachPart();
        var waiting = new ArrayDeque<>(approach.stream().filter(block -> block.requestsPerSecond() < part * highest)
                .sorted(Comparator.comparingDouble(ExceedancePoint::requestsPerSecond)).toList());
        var blocks = new ArrayList<ExceedancePoint>();
        for (var step : steps) {
            while (!waiting.isEmpty() && waiting.element().requestsPerSecond() < part * step.requestsPerSecond()) {
                blocks.add(waiting.remove());
            }
            blocks.add(step);
        }
        blocks.addAll(waiting);
        return blocks;
    }

    /** Returns the blocks that are used for a limit: those of the approach and of the steps. */
    List<ExceedancePoint> blocks(String limit, SearchHistory history, BaselineProfile base) {
        return inOrder(base.approach().getOrDefault(limit, List.of()),
                history.evidence().blocks().getOrDefault(limit, List.of()), history.evidence().highest());
    }

    /** Returns the likelihood of the blocks of a limit. */
    KneeLikelihood likelihood(String limit, SearchHistory history, BaselineProfile base) {
        var blocks = blocks(limit, history, base);
        double[] grid = lattice(history);
        var likelihood = likelihoods.get(limit);
        if (likelihood == null || !startsWith(blocks, likelihood.blocks()) || !likelihood.isWithin(grid)) {
            likelihood = new KneeLikelihood(base.allowedRatio(limit), grid, settings.knee());
            likelihoods.put(limit, likelihood);
        }
        if (grid.length > likelihood.lnCapacity().length) {
            likelihood.grow(grid);
        }
        blocks.stream().skip(likelihood.blocks().size()).forEach(likelihood::add);
        return likelihood;
    }

    private double[] lattice(SearchHistory history) {
        return KneeLikelihood.grid(history.range().low(), history.range().high(), settings.knee());
    }

    private static boolean startsWith(List<ExceedancePoint> whole, List<ExceedancePoint> part) {
        return part.size() <= whole.size() && whole.subList(0, part.size()).equals(part);
    }

    static Optional<Saturation> saturation(SearchHistory history, SutSignals signals) {
        if (signals.saturation().seconds() < 2 || signals.saturation().completed() <= 50 || history.retrograde()) {
            return Optional.empty();
        }
        double throughput = signals.saturation().throughput();
        return throughput < 0.98 * history.evidence().highestThroughput()
                ? Optional.empty()
                : Optional.of(new Saturation(throughput,
                        signals.saturation().error()));
    }

    private static double meanOfLast(List<Double> alarms) {
        return Math.exp(alarms.stream().skip(Math.max(0, alarms.size() - LAST_ALARMS)).mapToDouble(Math::log).average()
                .orElseThrow());
    }

    private static double atOrBelow(double[] cumulative, double[] grid, double load) {
        int index = Arrays.binarySearch(grid, Math.log(load));
        return cumulative[Math.clamp(index < 0 ? -index - 1 : index, 0, grid.length - 1)];
    }

    /** Returns the cumulative distribution of weights that are centred on their points; in {@link #cumulative} they end there. */
    static double[] centred(double[] weights) {
        double[] cumulative = cumulative(weights);
        double before = 0;
        for (int i = 0; i < cumulative.length; i++) {
            double now = cumulative[i];
            cumulative[i] = (before + now) / 2;
            before = now;
        }
        return cumulative;
    }

    static double[] cumulative(double[] weights) {
        double total = Arrays.stream(weights).sum();
        var cumulative = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] / total;
            cumulative[i] = sum;
        }
        return cumulative;
    }

    /** Returns an interpolated quantile in requests/s. */
    static double quantile(double[] grid, double[] cumulative, double part) {
        if (part <= cumulative[0]) {
            return Math.exp(grid[0]);
        }
        for (int i = 1; i < grid.length; i++) {
            if (cumulative[i] >= part && cumulative[i] > cumulative[i - 1]) {
                double within = (part - cumulative[i - 1]) / (cumulative[i] - cumulative[i - 1]);
                return Math.exp(grid[i - 1] + within * (grid[i] - grid[i - 1]));
            }
        }
        return Math.exp(grid[grid.length - 1]);
    }
}
