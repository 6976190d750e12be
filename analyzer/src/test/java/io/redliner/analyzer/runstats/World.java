// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.evaluation.WindowEvaluator;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * A run in a world made of formulas: four workers of 10 ms each before a queue (M/M/4), Poisson arrivals, 700 requests/s over
 * four instances, windows of 500 ms, a rule on p99. The load goes from rest over a ramp to the knee and stays about there.
 */
public final class World {

    public static final String SUT = "10.0.0.1:80";

    /** Requests/s at which the four workers are always busy. */
    public static final double FULL = 400;

    private static final double REST = 175;

    private static final List<Rule> SLA = List
            .of(new RuleCompiler().compile("latency", "latency.p99 <= duration('120ms')", false));

    private List<Rule> sla = SLA;

    private final Random random;

    private DoubleUnaryOperator latency = World::fourWorkers;

    private DoubleUnaryOperator peersLatency = load -> 0.012;

    private DoubleUnaryOperator peersErrors = load -> 0;

    private DoubleFunction<Map<String, Double>> gauges = load -> Map.of();

    private BiFunction<Random, Double, Long> inFlight = World::poisson;

    private UnaryOperator<ServiceWindow> telling = window -> window;

    private UnaryOperator<RunStatistics> receiving = evidence -> evidence;

    private double stalls;

    private double arriving = 1;

    private double scale = 1;

    private double naturalShare = 0.25;

    public World(long seed) {
        random = new Random(seed);
    }

    /** A rule on errors, which allows fewer requests to break it than the rule on latency. */
    public World withErrorRule() {
        sla = List.of(SLA.getFirst(), new RuleCompiler().compile("errors", "error_rate <= 0.001", false));
        return this;
    }

    /** Mean seconds at a load. */
    public World latency(DoubleUnaryOperator newLatency) {
        latency = newLatency;
        return this;
    }

    public World peersLatency(DoubleUnaryOperator newLatency) {
        peersLatency = newLatency;
        return this;
    }

    /** Failed part of the peers' requests at a load of the SUT. */
    public World peersErrors(DoubleUnaryOperator newErrors) {
        peersErrors = newErrors;
        return this;
    }

    /** Of the SUT, with a noise of 2 %. */
    public World gauges(DoubleFunction<Map<String, Double>> newGauges) {
        gauges = newGauges;
        return this;
    }

    /** A count of the requests in flight from their mean. */
    public World inFlight(BiFunction<Random, Double, Long> newInFlight) {
        inFlight = newInFlight;
        return this;
    }

    /** What becomes of a window on its way. */
    public World telling(UnaryOperator<ServiceWindow> newTelling) {
        telling = newTelling;
        return this;
    }

    /** Changes each window further, after the changes so far. */
    public World alsoTelling(UnaryOperator<ServiceWindow> more) {
        var before = telling;
        telling = window -> more.apply(before.apply(window));
        return this;
    }

    /** What else comes in with every window. */
    public World receiving(UnaryOperator<RunStatistics> newReceiving) {
        receiving = newReceiving;
        return this;
    }

    /** Near the knee, every other window stands still for so many seconds. */
    public World stalls(double seconds) {
        stalls = seconds;
        return this;
    }

    /** Part of the load asked for that arrives. */
    public World arriving(double part) {
        arriving = part;
        return this;
    }

    /** The same world with so many times the requests. */
    public World scale(double newScale) {
        scale = newScale;
        return this;
    }

    public World naturalShare(double newShare) {
        naturalShare = newShare;
        return this;
    }

    /** Baseline of 10 s, a ramp of 30 s, and 60 s near the knee. */
    public RunStatistics run() {
        var evidence = RunStatistics.NONE;
        for (int i = 0; i < 200; i++) {
            evidence = receiving.apply(next(evidence, i));
        }
        return evidence;
    }

    private RunStatistics next(RunStatistics evidence, int i) {
        double second = i / 2.0;
        double load = second < 10
                ? REST
                : second < 40
                        ? REST + (second - 10) / 30 * (0.97 * FULL - REST)
                        : 0.95 * FULL
                                * (1 + 0.02 * Math.sin(Math.floor((second - 40) / 6)));
        var phase = second < 10
                ? SearchAdvice.Phase.BASELINE
                : second < 40 ? SearchAdvice.Phase.RAMPING : SearchAdvice.Phase.CONFIRMING;
        var window = telling.apply(window(i, load * arriving));
        var judged = new WindowEvaluator(new SlaSpec(SUT, sla, List.of())).judge(window, Optional.empty());
        return evidence.after(window, judged, true,
                new SearchAdvice(SearchAdvice.Action.HOLD, load * scale, phase, "", (int) second / 6, Optional.empty()),
                new LoadBounds(SUT, naturalShare, 10_000));
    }

    private ServiceWindow window(int i, double load) {
        var instances = new HashMap<String, InstanceMeasurements>();
        var measured = new HashMap<String, Double>();
        gauges.apply(load).forEach((name, value) -> measured.put(name, value * (1 + 0.02 * random.nextGaussian())));
        boolean stalled = stalls > 0 && load > 0.8 * FULL && i % 2 == 0;
        if (stalls > 0) {
            measured.put("gc.pause", stalled ? stalls : 0.005);
        }
        instances.put(SUT, seen(load, latency.applyAsDouble(load), 0, measured, stalled ? stalls : 0));
        for (int peer = 2; peer <= 4; peer++) {
            instances.put("10.0.0." + peer + ":80", seen((700 - load) / 3, peersLatency.applyAsDouble(load),
                    peersErrors.applyAsDouble(load), Map.of(), 0));
        }
        return new ServiceWindow(1_000_000 + 500L * i, Duration.ofMillis(500), instances, Map.of());
    }

    private InstanceMeasurements seen(double load, double meanLatency, double errors, Map<String, Double> measured,
            double pause) {
        long started = poisson(random, load * scale / 2);
        long completed = poisson(random, load * scale / 2);
        var histogram = new Histogram(3);
        for (int i = 0; i < completed; i++) {
            double seconds = -meanLatency * Math.log(1 - random.nextDouble());
            histogram.recordValue((long) (1e6 * (random.nextDouble() < 0.3 ? Math.max(pause, seconds) : seconds)));
        }
        return new InstanceMeasurements(new WindowStats(Duration.ofMillis(500), started, completed,
                Math.min(completed, poisson(random, errors * completed)), 0, histogram, List.of(), measured),
                inFlight.apply(random, load * scale * meanLatency));
    }

    /** Mean seconds in an M/M/4 queue (Erlang C), bounded as a queue in memory is. */
    public static double fourWorkers(double load) {
        double offered = Math.min(0.99 * FULL, load) / 100;
        double sum = 1 + offered + offered * offered / 2 + Math.pow(offered, 3) / 6;
        double last = Math.pow(offered, 4) / 24 / (1 - offered / 4);
        return 0.01 + last / (sum + last) / (FULL - Math.min(0.99 * FULL, load));
    }

    /** The window with another gauge of the SUT. */
    public static ServiceWindow with(ServiceWindow window, String gauge, double value) {
        var instances = new HashMap<>(window.instances());
        instances.computeIfPresent(SUT, (address, seen) -> new InstanceMeasurements(with(seen.measured(), gauge, value),
                seen.inFlight()));
        return new ServiceWindow(window.startMillis(), window.length(), instances, window.missing());
    }

    /** The same with one gauge more. */
    public static WindowStats with(WindowStats measured, String gauge, double value) {
        var gauges = new HashMap<>(measured.gauges());
        gauges.put(gauge, value);
        return new WindowStats(measured.length(), measured.started(), measured.completed(), measured.errors(),
                measured.timeouts(), measured.latency(), measured.overdue(), gauges);
    }

    /** Knuth's method, and the normal distribution for large means. */
    public static long poisson(Random random, double mean) {
        if (mean > 200) {
            return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
        }
        double limit = Math.exp(-mean);
        double product = random.nextDouble();
        long count = 0;
        while (product > limit) {
            product *= random.nextDouble();
            count++;
        }
        return count;
    }
}
