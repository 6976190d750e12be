// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Latency, CPU and requests beyond the limit of an instance over its load, as a search for its capacity measured them.
 *
 * @param rule the rule whose limit binds, as {@link #key} writes it; empty when none is about a part of the requests
 * @param points with rising load, at most {@value #MAX_POINTS}; not empty
 */
public record LoadProfile(String rule, List<Point> points) {

    static final int MAX_POINTS = 40;

    /** Width of a point, in the logarithm of the load; larger when the loads lie too far apart for the number of points. */
    private static final double POINT_WIDTH = 0.05;

    /** Windows are summed to pieces, so that the load of a piece is known better than by the requests of one window. */
    private static final double MIN_PIECE_SECONDS = 2;

    private static final double MAX_PIECE_SECONDS = 8;

    private static final double PIECE_REQUESTS = 1_000;

    private static final int MIN_PIECES = 8;

    /** Distance in the logarithm of the load up to which pieces scatter alike. */
    private static final double NEAR = 0.15;

    /** Least factor by which the correlation of neighbouring pieces widens the variance of their mean. */
    private static final double CORRELATION = 1.5;

    /** Prior of the standard deviation of a piece's logarithm, worth one piece. */
    private static final double USUAL_DEVIATION = 0.1;

    private static final double USUAL_DEVIATION_OF_CPU = 0.03;

    /** Ratio of the peers' latency to their usual one above which a window is noisy. */
    static final double NOISY = 1.3;

    /** Ratio of a share to the one before below which load was shed, and the longest time until the queue is gone. */
    private static final double SHED = 0.93;

    private static final double DRAIN_SECONDS = 10;

    /** Dispersion of late requests before any is measured, and how many pieces this is worth. */
    private static final double PRIOR_DISPERSION = 3;

    private static final double PRIOR_PIECES = 4;

    private static final double MAX_DISPERSION = 3_000;

    /** A quantity whose mean is compared. */
    public enum Signal {
        LATENCY_P50, LATENCY_P99, CPU
    }

    /**
     * The mean of a quantity's logarithm.
     *
     * @param error its standard error
     */
    public record Level(double mean, double error) {}

    /**
     * Measurements at one load.
     *
     * @param levels of the quantities that were measured, latencies in seconds and CPU as a part of all
     * @param requests that the rule was measured on
     * @param exceeding those beyond its limit
     * @param dispersion variance of that number relative to its mean: late requests come in excursions of the queue
     */
    public record Point(double requestsPerSecond, SortedMap<Signal, Level> levels, double requests, double exceeding,
            double dispersion) {

        public Point {
            levels = Collections.unmodifiableSortedMap(new TreeMap<>(levels));
        }

        double lnLoad() {
            return Math.log(requestsPerSecond);
        }

        Optional<Level> level(Signal signal) {
            return Optional.ofNullable(levels.get(signal));
        }
    }

    /**
     * One window of a run.
     *
     * @param requestsPerSecond that arrived
     * @param share that was requested, a ratio
     * @param values of the quantities that were measured, latencies in seconds and CPU as a part of all
     * @param counts of the rule whose limit binds; absent when it had no data
     * @param peersLatency median of the peers' latencies in seconds; absent when it was not measured
     */
    public record Window(double requestsPerSecond, double seconds, double share, Map<Signal, Double> values,
            @Nullable RuleCounts counts, @Nullable Double peersLatency) {

        public Window {
            values = Map.copyOf(values);
        }
    }

    public LoadProfile {
        points = List.copyOf(points);
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a load profile needs a point");
        }
    }

    /** Returns the name of a rule's comparison in {@link StepPlanProgress#ruleCounts}. */
    public static String key(String rule, double allowedRatio) {
        return rule + " " + allowedRatio;
    }

    /**
     * Sums the windows of a run up; empty when they are too few.
     *
     * @param rule as {@link #key} writes it
     * @param windows in their order, without those that are not reliable
     */
    public static Optional<LoadProfile> of(String rule, List<Window> windows) {
        List<Piece> pieces = Piece.of(settled(quiet(windows)));
        if (pieces.size() < MIN_PIECES) {
            return Optional.empty();
        }
        SortedMap<Long, List<Piece>> byLoad = byLoad(pieces, POINT_WIDTH);
        if (byLoad.size() > MAX_POINTS) {
            double range = (byLoad.lastKey() - byLoad.firstKey() + 1) * POINT_WIDTH;
            byLoad = byLoad(pieces, range / (MAX_POINTS - 1));
        }
        return Optional.of(new LoadProfile(rule, byLoad.values().stream().map(bin -> point(bin, pieces)).toList()));
    }

    /** Leaves out windows in which the peers were slow, too. */
    private static List<Window> quiet(List<Window> windows) {
        double[] latencies = windows.stream().map(Window::peersLatency).filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue).sorted().toArray();
        double usual = latencies.length == 0 ? Double.POSITIVE_INFINITY : latencies[latencies.length / 2];
        return windows.stream()
                .filter(window -> window.peersLatency() == null || window.peersLatency() <= NOISY * usual).toList();
    }

    /** Leaves out the time after load was shed: a queue may be left. It ends when the share is back, or after some seconds. */
    private static List<Window> settled(List<Window> windows) {
        List<Window> settled = new ArrayList<>();
        double share = 0;
        double shedSeconds = 0;
        for (Window window : windows) {
            boolean shed = window.share() < SHED * share && shedSeconds < DRAIN_SECONDS;
            shedSeconds = shed ? shedSeconds + window.seconds() : 0;
            if (!shed) {
                share = window.share();
                settled.add(window);
            }
        }
        return settled;
    }

    private static Point point(List<Piece> bin, List<Piece> all) {
        double load = Math.exp(mean(bin, Piece::lnLoad));
        SortedMap<Signal, Level> levels = new TreeMap<>();
        for (Signal signal : Signal.values()) {
            List<Piece> measured = with(signal, bin);
            if (!measured.isEmpty()) {
                levels.put(signal, new Level(mean(measured, piece -> piece.value(signal)),
                        deviation(signal, with(signal, all), Math.log(load)) / Math.sqrt(measured.size())));
            }
        }
        return new Point(load, levels, bin.stream().mapToDouble(Piece::requests).sum(),
                bin.stream().mapToDouble(Piece::exceeding).sum(), dispersion(all, Math.log(load)));
    }

    /** Returns the dispersion of the pieces near a load, around the mean part of each point. */
    private static double dispersion(List<Piece> pieces, double lnLoad) {
        double squares = PRIOR_PIECES * PRIOR_DISPERSION;
        double degrees = PRIOR_PIECES;
        for (List<Piece> bin : byLoad(pieces, POINT_WIDTH).values()) {
            double requests = bin.stream().mapToDouble(Piece::requests).sum();
            double part = (bin.stream().mapToDouble(Piece::exceeding).sum() + 0.5) / (requests + 1);
            if (Math.abs(mean(bin, Piece::lnLoad) - lnLoad) <= NEAR && requests > 0) {
                degrees += bin.size() - 1;
                for (Piece piece : bin) {
                    double expected = Math.max(piece.requests() * part, 1e-9);
                    squares += Math.pow(piece.exceeding() - expected, 2) / expected;
                }
            }
        }
        return Math.clamp(squares / degrees, 1, MAX_DISPERSION);
    }

    private static SortedMap<Long, List<Piece>> byLoad(List<Piece> pieces, double width) {
        SortedMap<Long, List<Piece>> byLoad = new TreeMap<>();
        pieces.forEach(piece -> byLoad
                .computeIfAbsent((long) Math.floor(piece.lnLoad() / width), bin -> new ArrayList<>()).add(piece));
        return byLoad;
    }

    /**
     * Returns the standard deviation of the pieces near a load from a straight line through them, widened by the correlation of
     * neighbours as the error of a mean of so many correlated pieces is.
     */
    private static double deviation(Signal signal, List<Piece> pieces, double lnLoad) {
        List<Piece> near = pieces.stream().filter(piece -> Math.abs(piece.lnLoad() - lnLoad) <= NEAR).toList();
        double x = mean(near, Piece::lnLoad);
        double y = mean(near, piece -> piece.value(signal));
        double squaresOfX = 0;
        double products = 0;
        for (Piece piece : near) {
            squaresOfX += Math.pow(piece.lnLoad() - x, 2);
            products += (piece.lnLoad() - x) * (piece.value(signal) - y);
        }
        double slope = squaresOfX > 1e-9 ? products / squaresOfX : 0;
        double[] residuals = near.stream()
                .mapToDouble(piece -> piece.value(signal) - y - slope * (piece.lnLoad() - x)).toArray();
        double squares = Math.pow(signal == Signal.CPU ? USUAL_DEVIATION_OF_CPU : USUAL_DEVIATION, 2);
        for (double residual : residuals) {
            squares += residual * residual;
        }
        return Math.sqrt(squares / Math.max(1, near.size() - 1)
                * Math.max(CORRELATION, Autocorrelation.inflation(Autocorrelation.lagOne(residuals), near.size())));
    }

    private static List<Piece> with(Signal signal, List<Piece> pieces) {
        return pieces.stream().filter(piece -> piece.values().containsKey(signal)).toList();
    }

    private static double mean(List<Piece> pieces, ToDoubleFunction<Piece> value) {
        return pieces.stream().mapToDouble(value).average().orElse(0);
    }

    /** Consecutive windows; values are means of logarithms. */
    private record Piece(double lnLoad, Map<Signal, Double> values, double requests, double exceeding) {

        double value(Signal signal) {
            return values.getOrDefault(signal, 0.0);
        }

        static List<Piece> of(List<Window> windows) {
            List<Piece> pieces = new ArrayList<>();
            List<Window> open = new ArrayList<>();
            double seconds = 0;
            double requests = 0;
            for (Window window : windows) {
                open.add(window);
                seconds += window.seconds();
                requests += window.requestsPerSecond() * window.seconds();
                if ((seconds >= MIN_PIECE_SECONDS - 1e-6 && requests >= PIECE_REQUESTS)
                        || seconds >= MAX_PIECE_SECONDS - 1e-6) {
                    if (requests > 0) {
                        pieces.add(sum(open, requests / seconds));
                    }
                    open.clear();
                    seconds = 0;
                    requests = 0;
                }
            }
            return pieces;
        }

        private static Piece sum(List<Window> windows, double load) {
            Map<Signal, Double> means = new EnumMap<>(Signal.class);
            for (Signal signal : Signal.values()) {
                windows.stream().map(window -> window.values().get(signal)).filter(value -> value != null && value > 0)
                        .mapToDouble(value -> Math.log(value)).average().ifPresent(mean -> means.put(signal, mean));
            }
            return new Piece(Math.log(load), means,
                    windows.stream().map(Window::counts).mapToDouble(it -> it == null ? 0 : it.requests()).sum(),
                    windows.stream().map(Window::counts).mapToDouble(it -> it == null ? 0 : it.exceeding()).sum());
        }
    }
}
