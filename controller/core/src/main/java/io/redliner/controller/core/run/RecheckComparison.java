// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.LoadProfile.Level;
import io.redliner.controller.core.run.LoadProfile.Point;
import io.redliner.controller.core.run.LoadProfile.Signal;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compares what is measured at one load with a profile of the same instance: by which factor its capacity can have moved. Two kinds
 * of moves are tried, since neither is known beforehand: another size (more workers: the profile is stretched along the load) and
 * another speed (each request is faster: latencies are shorter, too). A factor is possible when one of the two explains all
 * quantities with it.
 */
final class RecheckComparison {

    /** The profile and the measurements do not explain the level of a quantity any better than this part of it. */
    private static final double MIN_ERROR = 0.01;

    /** Half the 95 % interval of a capacity's drift of 3 % from one run to the next. */
    private static final double DRIFT = 1.96 * 0.03;

    /** Largest logarithm of a factor that is tried, and the distance between two of them. */
    private static final double MAX_LN_FACTOR = 0.8;

    private static final double LN_STEP = 0.01;

    /** 95 % of the chi-squared distribution with one degree of freedom. */
    static final double SURE = 3.84;

    /** A misfit that a test after each window reaches by chance in fewer than one of a thousand runs. */
    static final double BEYOND_DOUBT = 20;

    /** Misfit above that of the better kind of move from which on a kind is no explanation. */
    private static final double WORSE = 4;

    /** Misfit from which on neither kind of move explains the measurements. */
    private static final double UNEXPLAINED = 20;

    private final LoadProfile loadProfile;

    private final Point point;

    private final Map<Signal, RisingCurve> curves = new EnumMap<>(Signal.class);

    private final Optional<RisingCurve> exceeding;

    RecheckComparison(LoadProfile loadProfile, Point point) {
        this.loadProfile = loadProfile;
        this.point = point;
        for (Signal signal : point.levels().keySet()) {
            RisingCurve.of(loadProfile, signal).ifPresent(curve -> curves.put(signal, curve));
        }
        exceeding = point.requests() > 0 ? RisingCurve.ofExceeding(loadProfile) : Optional.empty();
    }

    /** The kinds of moves. */
    private enum Kind {
        SIZE, SPEED
    }

    /**
     * The factors of the capacity that explain the measurements.
     *
     * @param best the one that explains them best
     * @param low smallest factor, above 0
     * @param high largest factor
     * @param explained true when any factor does
     */
    record Factors(double best, double low, double high, boolean explained) {

        /** Returns the largest relative difference to the known capacity, with its drift from one run to the next. */
        double within() {
            return Math.exp(Math.hypot(Math.max(-Math.log(low), Math.log(high)), DRIFT)) - 1;
        }

        /** Returns true when smaller factors than the tried ones may explain the measurements, too. */
        boolean openBelow() {
            return Math.log(low) < -MAX_LN_FACTOR + LN_STEP / 2;
        }

        /** Returns true when larger factors than the tried ones may explain the measurements, too. */
        boolean openAbove() {
            return Math.log(high) > MAX_LN_FACTOR - LN_STEP / 2;
        }

        /** Returns true when the capacity is smaller by more than its drift from one run to the next. */
        boolean smaller() {
            return -Math.log(best) > Math.hypot(Math.log(high / best), DRIFT);
        }

        /** Returns true when the capacity is larger by more than its drift from one run to the next. */
        boolean larger() {
            return Math.log(best) > Math.hypot(Math.log(best / low), DRIFT);
        }
    }

    /** Returns true when nothing can be compared. */
    boolean empty() {
        return curves.isEmpty();
    }

    /** @param margin misfit above the least one up to which a factor is possible */
    Factors factors(double margin) {
        double best = Double.POSITIVE_INFINITY;
        double bestFactor = 1;
        Map<Kind, Double> least = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            double misfit = Double.POSITIVE_INFINITY;
            for (int step = -steps(); step <= steps(); step++) {
                double misfitNow = misfit(kind, step * LN_STEP);
                misfit = Math.min(misfit, misfitNow);
                // Of factors that explain the same, the one that is nearest to 1.
                if (misfitNow < best - 1e-9
                        || (misfitNow < best + 1e-9 && Math.abs(step * LN_STEP) < Math.abs(Math.log(bestFactor)))) {
                    best = Math.min(best, misfitNow);
                    bestFactor = Math.exp(step * LN_STEP);
                }
            }
            least.put(kind, misfit);
        }
        double low = Double.POSITIVE_INFINITY;
        double high = 0;
        for (Kind kind : Kind.values()) {
            double misfit = least.getOrDefault(kind, best);
            for (int step = -steps(); step <= steps() && misfit <= best + Math.max(WORSE, margin); step++) {
                if (misfit(kind, step * LN_STEP) <= misfit + margin) {
                    low = Math.min(low, Math.exp(step * LN_STEP));
                    high = Math.max(high, Math.exp(step * LN_STEP));
                }
            }
        }
        return new Factors(bestFactor, low, high, best < UNEXPLAINED);
    }

    private static int steps() {
        return (int) Math.round(MAX_LN_FACTOR / LN_STEP);
    }

    /** Returns the sum of the squared deviations with which this move explains the measurements. */
    private double misfit(Kind kind, double lnFactor) {
        double lnLoad = point.lnLoad() - lnFactor;
        double sum = 0;
        for (Map.Entry<Signal, RisingCurve> entry : curves.entrySet()) {
            sum += misfit(kind, entry.getKey(), entry.getValue(), lnLoad, lnFactor);
        }
        return sum + exceeding.map(curve -> misfit(kind, curve, lnLoad, lnFactor)).orElse(0.0);
    }

    private double misfit(Kind kind, Signal signal, RisingCurve curve, double lnLoad, double lnFactor) {
        Level measured = point.level(signal).orElseThrow();
        Level expected = curve.at(lnLoad);
        double level = expected.mean();
        if (signal == Signal.CPU) {
            // Beyond the points, CPU grows with the load up to all that there is.
            level = Math.min(0, level + beyond(curve, lnLoad));
        } else if (kind == Kind.SPEED) {
            level -= lnFactor;
        }
        boolean atLeast = signal != Signal.CPU && curve.isBelow(lnLoad);
        if (atLeast && measured.mean() > level) {
            return 0;
        }
        double error = Math.hypot(Math.hypot(measured.error(), expected.error()), MIN_ERROR);
        return Math.pow((measured.mean() - level) / error, 2);
    }

    /** Returns the dispersion of late requests at the point that is nearest to a load. */
    private double dispersion(double lnLoad) {
        double nearest = Double.POSITIVE_INFINITY;
        double dispersion = 1;
        for (Point one : loadProfile.points()) {
            double distance = Math.abs(one.lnLoad() - lnLoad);
            if (distance < nearest) {
                nearest = distance;
                dispersion = one.dispersion();
            }
        }
        return dispersion;
    }

    private static double beyond(RisingCurve curve, double lnLoad) {
        return lnLoad - Math.clamp(lnLoad, curve.lnLoads().getFirst(), curve.lnLoads().getLast());
    }

    /** Returns the deviance of the count, as of Poisson counts with more variance. */
    private double misfit(Kind kind, RisingCurve curve, double lnLoad, double lnFactor) {
        Level expected = curve.at(lnLoad);
        double mean = point.requests() * Math.exp(expected.mean());
        boolean atLeast = curve.isBelow(lnLoad) || (kind == Kind.SPEED && lnFactor < 0);
        boolean atMost = kind == Kind.SPEED && lnFactor > 0;
        double count = point.exceeding();
        if ((atLeast && count > mean) || (atMost && count < mean)) {
            return 0;
        }
        double deviance = 2 * ((count > 0 ? count * Math.log(count / mean) : 0) - count + mean);
        return deviance / (dispersion(lnLoad) + mean * expected.error() * expected.error());
    }
}
