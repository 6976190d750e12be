// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.LoadCurve.Point;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The answer at the end of a search. The estimate by steps moves towards the curve through pieces of time (the surer the curve, the
 * farther), and towards the throughput in saturation. The search itself goes on tracking the estimate by steps.
 *
 * <p>The constants were fitted on the lab's 300 tuning servers, four runs each, beside quiet peers. Those of the answer have the
 * least absolute deviations. Those of the interval have the least mean score (Gneiting and Raftery 2007), times a factor with which
 * 96 % of the cross-validated runs are covered.
 */
final class FinalEstimate {

    /** Part of the difference to the curve, times the curve's certainty, by which the answer moves. */
    private static final double PIECES = 0.7770;

    /** Part of the difference to the throughput in saturation by which the answer moves. */
    private static final double SATURATION = 0.3522;

    /** Logarithm of the median factor that both leave, with its slopes by the rate and by the steepness. */
    private static final double BIAS = -0.0116;

    private static final double BIAS_BY_RATE = 0.0128;

    private static final double BIAS_BY_STEEPNESS = -0.0123;

    /** Logarithm of an end's distance: a constant, the power of the curve's spread, and that of the distance by steps. */
    private static final double[] LOW = {-2.2919, 0.1407, 0.5755};

    private static final double[] HIGH = {-2.4501, 0.2702, 0.7840};

    /** Least distance of an end, in parts of that by steps. */
    private static final double MIN_PART = 0.3;

    private static final double MAX_DISTANCE = 2.5;

    private static final double MAX_DIFFERENCE = 0.3;

    /** Spread of the curve's capacity at which the curve counts half. */
    private static final double HALF_CERTAIN = 0.02;

    private static final double MIN_SPREAD = 0.002;

    private static final double MAX_SPREAD = 0.3;

    private static final double MAX_SATURATION_DIFFERENCE = 0.15;

    private static final double MIN_SATURATED_SECONDS = 2;

    private static final double MIN_SATURATED_REQUESTS = 50;

    /** Error of the throughput in saturation at which it counts half. */
    private static final double SATURATION_ERROR = 0.03;

    /** Rates and elasticities of the lab's servers. */
    private static final double MIN_RATE = 10;

    private static final double MAX_RATE = 30_000;

    private static final double MIN_ELASTICITY = 2;

    private static final double MAX_ELASTICITY = 300;

    private FinalEstimate() {}

    /**
     * Returns the estimate with another capacity and interval. It is empty, so that the estimate by steps stays, when the pieces say
     * nothing of the limit that binds most, and when any limit is near that is not on a part of the requests. It is empty too when
     * throughput falls beyond the knee, and when the new capacity is below the natural load that held.
     *
     * @param stepEstimate estimate by steps
     */
    static Optional<CapacityEstimate> of(CapacityEstimate stepEstimate, SearchHistory history, BaselineProfile base,
            SearchContext context) {
        var evidence = history.evidence();
        var limit = history.posterior().map(CapacityPosterior::limit).filter(evidence.blocks()::containsKey);
        boolean othersNear = Jump.limits(evidence).stream().filter(other -> !other.equals(SearchHistory.STALL))
                .anyMatch(other -> Jump.of(other, evidence).isPresent() || Jump.fit(other, evidence).isPresent());
        return limit.isPresent() && !othersNear && !history.retrograde() && stepEstimate.bounded()
                ? curve(limit.get(), context.pieces(), base)
                        .map(curve -> combined(stepEstimate, curve, context.signals().saturation()))
                        .filter(last -> last.capacity() >= base.load())
                : Optional.empty();
    }

    /** Returns the curve of the limit that binds most, or of one whose capacity is lower by the pieces; empty when they say nothing of the first. */
    private static Optional<LoadCurve> curve(String binding, LoadPieces pieces, BaselineProfile base) {
        return curve(pieces, binding, base)
                .map(first -> base.allowed().keySet().stream().filter(limit -> !limit.equals(binding))
                        .flatMap(limit -> curve(pieces, limit, base).stream()).filter(LoadCurve::within)
                        .filter(other -> other.lnCapacity() < first.lnCapacity())
                        .min(Comparator.comparingDouble(LoadCurve::lnCapacity)).orElse(first));
    }

    private static Optional<LoadCurve> curve(LoadPieces pieces, String limit, BaselineProfile base) {
        return LoadCurve.fit(points(pieces.all(), limit), base.allowed(limit));
    }

    private static List<Point> points(List<LoadPieces.Piece> pieces, String limit) {
        return pieces.stream().filter(piece -> piece.arrivals().arrived() > 0)
                .map(piece -> new Point(Math.log(piece.arrivals().requestsPerSecond()),
                        piece.arrivals().arrived(), piece.exceeding().getOrDefault(limit, 0.0)))
                .toList();
    }

    static CapacityEstimate combined(CapacityEstimate stepEstimate, LoadCurve curve, SutSignals.Crowding saturation) {
        double lnSteps = Math.log(stepEstimate.capacity());
        double spread = Math.clamp(curve.spread(), MIN_SPREAD, MAX_SPREAD);
        double certainty = HALF_CERTAIN * HALF_CERTAIN / (HALF_CERTAIN * HALF_CERTAIN + spread * spread);
        double difference = Math.clamp(curve.lnCapacity() - lnSteps, -MAX_DIFFERENCE, MAX_DIFFERENCE);
        double rate = (Math.log(Math.clamp(stepEstimate.capacity(), MIN_RATE, MAX_RATE)) - Math.log(500)) / 3;
        double steepness = (Math.log(Math.clamp(curve.elasticity(), MIN_ELASTICITY, MAX_ELASTICITY)) - 3.5) / 2;
        double lnCapacity = lnSteps + PIECES * certainty * difference + SATURATION * saturated(lnSteps, saturation)
                + BIAS + BIAS_BY_RATE * rate + BIAS_BY_STEEPNESS * steepness;
        double capacity = Math.exp(lnCapacity);
        return new CapacityEstimate(capacity,
                capacity * Math.exp(-distance(LOW, spread, lnSteps - Math.log(stepEstimate.low()))),
                capacity * Math.exp(distance(HIGH, spread, Math.log(stepEstimate.high()) - lnSteps)),
                stepEstimate.lastGood(), stepEstimate.limit());
    }

    /** Returns the difference to the throughput in saturation, shrunk by its error; 0 when the SUT was not saturated. */
    private static double saturated(double lnSteps, SutSignals.Crowding saturation) {
        if (saturation.seconds() < MIN_SATURATED_SECONDS || saturation.completed() <= MIN_SATURATED_REQUESTS) {
            return 0;
        }
        double error = saturation.error() / SATURATION_ERROR;
        return Math.clamp(Math.log(saturation.throughput()) - lnSteps, -MAX_SATURATION_DIFFERENCE,
                MAX_SATURATION_DIFFERENCE) / (1 + error * error);
    }

    private static double distance(double[] coefficients, double spread, double own) {
        double ln = coefficients[0] + coefficients[1] * Math.log(spread / HALF_CERTAIN)
                + coefficients[2] * Math.log(Math.clamp(own, 0.005, 1.5) / 0.1);
        return Math.max(MIN_PART * own, Math.min(MAX_DISTANCE, Math.exp(ln)));
    }
}
