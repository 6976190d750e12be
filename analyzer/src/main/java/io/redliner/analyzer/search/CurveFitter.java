// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.ExceedanceCurve.FittedPoint;
import io.redliner.analyzer.search.ExceedanceCurve.LoadGroup;
import io.redliner.analyzer.search.SearchPhaseState.Results;
import io.redliner.sla.SlaEvaluation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** Fits the curve of exceedances to the results of a search. For one thread. */
final class CurveFitter {

    /** Loads of the curve beside those that were tried, relative to the capacity. */
    private static final double[] AROUND = {0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2};

    private final SearchSettings settings;

    private final PosteriorEstimator estimator;

    CurveFitter(SearchSettings settings, PosteriorEstimator estimator) {
        this.settings = settings;
        this.estimator = estimator;
    }

    /**
     * Returns the curve of the limit that binds most, or the exceedances of the limit that came nearest to what it allows; empty
     * when no limit is on a part of the requests.
     *
     * @param context of the search, with its estimate
     * @param sla of any window, for the limit's name and value
     */
    Optional<ExceedanceCurve> fit(Results results, SearchContext context, SlaEvaluation sla) {
        var history = results.history();
        String binding = history.posterior().map(CapacityPosterior::limit).orElse("");
        if (!binding.isEmpty() && !history.evidence().blocks().containsKey(binding)) {
            return Optional.of(ExceedanceCurve.unfitted(rule(binding, sla),
                    "what limits is " + rule(binding, sla) + ", which is not about a part of the requests"));
        }
        var estimate = context.advice().estimate().filter(it -> Double.isFinite(it.high()));
        return Optional.of(binding).filter(limit -> !limit.isEmpty()).or(() -> nearest(results))
                .map(limit -> history.retrograde()
                        ? counted(limit, results, sla,
                                "beyond its knee the SUT completes less: it collapses before a curve could be seen")
                        : binding.isEmpty() || estimate.isEmpty()
                                ? counted(limit, results, sla, "the search did not reach the knee")
                                : fitted(limit, results, context.signals(), estimate.get(), sla));
    }

    private ExceedanceCurve fitted(String limit, Results results, SutSignals signals, CapacityEstimate estimate,
            SlaEvaluation sla) {
        var history = results.history();
        var likelihood = estimator.likelihood(limit, history, results.base());
        var allowedRatio = results.base().allowedRatio(limit);
        var shapes = likelihood.shapes(LikelihoodTempering.of(history.evidence().latencies(), settings),
                PosteriorEstimator.saturation(history, signals));
        var fit = new ExceedanceFit(likelihood.lnCapacity(), shapes, estimate, allowedRatio, settings.knee().grid());
        var groups = ExceedanceCurve.groups(likelihood.blocks());
        return new ExceedanceCurve(rule(limit, sla), latencyLimit(limit, sla), allowedRatio.ratio(), groups,
                points(fit, groups, estimate), fit.shownPart(), "");
    }

    private ExceedanceCurve counted(String limit, Results results, SlaEvaluation sla, String unfitted) {
        return new ExceedanceCurve(rule(limit, sla), latencyLimit(limit, sla), results.base().allowed(limit),
                ExceedanceCurve.groups(estimator.blocks(limit, results.history(), results.base())),
                List.of(), 1, unfitted);
    }

    private static List<FittedPoint> points(ExceedanceFit fit, List<LoadGroup> groups, CapacityEstimate estimate) {
        return DoubleStream.concat(groups.stream().mapToDouble(LoadGroup::requestsPerSecond),
                DoubleStream.concat(DoubleStream.of(estimate.low(), estimate.capacity(), estimate.high()),
                        DoubleStream.of(AROUND).map(part -> part * estimate.capacity())))
                .filter(load -> load > 0).sorted().distinct().mapToObj(fit::at).toList();
    }

    private static Optional<String> nearest(Results results) {
        return results.history().evidence().blocks().entrySet().stream()
                .max(Comparator.comparingDouble(limit -> limit.getValue().stream()
                        .mapToDouble(block -> block.exceeding() / block.requests()).max().orElse(0)
                        / results.base().allowed(limit.getKey())))
                .map(Map.Entry::getKey);
    }

    private static String rule(String limit, SlaEvaluation sla) {
        return limit(limit, sla).map(RuleLimit::rule).orElse(limit);
    }

    private static OptionalDouble latencyLimit(String limit, SlaEvaluation sla) {
        return limit(limit, sla).map(RuleLimit::latencySeconds).orElse(OptionalDouble.empty());
    }

    private static Optional<RuleLimit> limit(String key, SlaEvaluation sla) {
        return RuleLimit.all(sla).stream().filter(it -> it.key().equals(key)).findFirst();
    }
}
