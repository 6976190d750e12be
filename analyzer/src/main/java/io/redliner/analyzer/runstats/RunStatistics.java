// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.analyzer.evaluation.WindowEvaluation;
import io.redliner.analyzer.runstats.LoadSegment.BreachedWindows;
import io.redliner.analyzer.runstats.LoadSegment.Delivery;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.MetricUnit;
import io.redliner.sla.Proportion;
import io.redliner.sla.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * Statistics of a run's windows in bounded space. Windows are joined to blocks of at most {@value #BLOCK_SECONDS} s. When there
 * are more than {@value #MAX_SEGMENTS} blocks, the two most similar neighbours are merged. Immutable, and stored in the
 * analyzer's snapshot.
 *
 * @param span time from the first window to the last
 * @param blocks in the order of time
 * @param coverage observations and windows that are missing
 * @param asked the load that the search requested
 * @param instances activity by address; in larger fleets only of the first {@value #MAX_INSTANCES} that received requests
 * @param naturalShare the natural shares that were reported
 * @param limits the tightest ones of the rules
 * @param uptime of the SUT's process
 */
public record RunStatistics(Span span, List<LoadSegment> blocks, TelemetryCoverage coverage, RequestedLoad asked,
        Map<String, InstanceActivity> instances, ShareRange naturalShare, TightestLimits limits,
        ProcessUptime uptime) {

    /**
     * The time from the first window to the last, unknown windows included. Milliseconds since the epoch, 0 before the first window.
     *
     * @param startMillis of the first window
     * @param endMillis of the last window
     */
    public record Span(long startMillis, long endMillis) {

        static final Span NONE = new Span(0, 0);

        Span plus(ServiceWindow window) {
            return new Span(startMillis == 0 ? window.startMillis() : startMillis,
                    window.startMillis() + window.length().toMillis());
        }

        /** Returns the number of windows that are missing between the last one and this one. */
        long skippedBefore(ServiceWindow window) {
            return endMillis == 0 ? 0 : Math.max(0, window.startMillis() - endMillis) / window.length().toMillis();
        }

        double seconds() {
            return (endMillis - startMillis) / 1e3;
        }
    }

    /**
     * The range of a share, as parts of the service's requests.
     *
     * @param low the lowest share
     * @param high the highest share
     */
    public record ShareRange(double low, double high) {

        static final ShareRange NONE = new ShareRange(1, 0);

        ShareRange including(double share) {
            return new ShareRange(Math.min(low, share), Math.max(high, share));
        }
    }

    /**
     * The tightest limits of the rules.
     *
     * @param allowedRatio smallest part of requests that may break a rule, over all rules; 0 when no rule is a proportion
     * @param latencySeconds the tightest latency limit of the rules; 0 when none limits latency
     */
    public record TightestLimits(double allowedRatio, double latencySeconds) {

        static final TightestLimits NONE = new TightestLimits(0, 0);

        TightestLimits and(Optional<Double> ratio, OptionalDouble latency) {
            return new TightestLimits(smaller(allowedRatio, ratio.orElse(0.0)),
                    smaller(latencySeconds, latency.orElse(0)));
        }

        private static double smaller(double one, double other) {
            return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other);
        }
    }

    /**
     * The uptime of the SUT's process.
     *
     * @param seconds as last reported; 0 before
     * @param restarts of the process, as its uptime shows
     */
    public record ProcessUptime(double seconds, int restarts) {

        static final ProcessUptime UNKNOWN = new ProcessUptime(0, 0);

        ProcessUptime next(OptionalDouble reported) {
            return reported.isEmpty()
                    ? this
                    : new ProcessUptime(reported.getAsDouble(), restarts + (reported.getAsDouble() < seconds ? 1 : 0));
        }
    }

    /** Keeps the statistics of a run below 96 KiB as JSON. */
    static final int MAX_SEGMENTS = 16;

    static final int MAX_INSTANCES = 50;

    private static final double BLOCK_SECONDS = 3;

    /** Part of the tightest latency limit from which on a pause of the process explains a breach. */
    private static final double STANDSTILL_PART = 0.5;

    /** Significance level of the test for a breach by the peers. */
    private static final double SIGNIFICANCE = 0.05;

    /** Part of the reachable load above which the SUT may get less load than requested. */
    private static final double MAX_REACHABLE_PART = 0.97;

    /** Statistics before the first window. */
    public static final RunStatistics NONE = new RunStatistics(Span.NONE, List.of(), TelemetryCoverage.NONE,
            RequestedLoad.NOTHING, Map.of(), ShareRange.NONE, TightestLimits.NONE, ProcessUptime.UNKNOWN);

    public RunStatistics {
        blocks = List.copyOf(blocks);
        instances = Map.copyOf(instances);
    }

    /**
     * Adds a window. After the end of the search it adds nothing.
     *
     * @param counted false when the search did not use the window; it then joins no block
     * @param inForce the advice during the window
     */
    public RunStatistics after(ServiceWindow window, WindowEvaluation evaluation, boolean counted, SearchAdvice inForce,
            LoadBounds bounds) {
        if (inForce.phase() == SearchAdvice.Phase.ENDED) {
            return this;
        }
        double seconds = window.length().toNanos() / 1e9;
        boolean complete = window.missing().isEmpty() && window.instances().containsKey(bounds.sut());
        var newSpan = span.plus(window);
        var requestedLoad = asked.then(inForce.requestsPerSecond(), seconds);
        var newLimits = limits.and(tightest(evaluation).map(Proportion::allowedRatio), latencyLimit(evaluation));
        return new RunStatistics(newSpan,
                complete && counted
                        ? withBlock(
                                block(window, evaluation, inForce, bounds, requestedLoad, newLimits.latencySeconds()))
                        : blocks,
                coverage.plus(window, complete, span.skippedBefore(window)), requestedLoad,
                complete ? activity(window, (window.startMillis() - newSpan.startMillis()) / 1e3) : instances,
                naturalShare.including(bounds.naturalShare()), newLimits, uptime.next(uptime(evaluation)));
    }

    /**
     * Counts an observation. Before the run's first window it counts nothing.
     *
     * @param lost number of observations that are missing before it, by its sequence number; negative when it arrived after it had
     *        been counted as missing
     */
    public RunStatistics received(IngestResult ingestResult, long lost) {
        return with(coverage.windows() == 0 ? coverage : coverage.plus(ingestResult, lost));
    }

    /** Returns a copy with another coverage. */
    public RunStatistics with(TelemetryCoverage newCoverage) {
        return newCoverage.equals(coverage)
                ? this
                : new RunStatistics(span, blocks, newCoverage, asked, instances, naturalShare, limits, uptime);
    }

    /** Returns the length of the run in seconds, windows without data included. */
    public double seconds() {
        return span.seconds();
    }

    /** Returns the SUT's traffic over the whole run. */
    public TrafficStats sut() {
        return blocks.stream().map(LoadSegment::sut).reduce(TrafficStats.NONE, TrafficStats::plus);
    }

    /** Returns the names of all gauges that were reported. */
    public List<String> gauges() {
        var names = new TreeSet<String>();
        blocks.forEach(block -> names.addAll(block.gauges().keySet()));
        return List.copyOf(names);
    }

    private LoadSegment block(ServiceWindow window, WindowEvaluation evaluation, SearchAdvice inForce,
            LoadBounds bounds,
            RequestedLoad requestedLoad,
            double limitSeconds) {
        var sut = window.instances().get(bounds.sut());
        if (sut == null) {
            throw new IllegalArgumentException("a window without " + bounds.sut());
        }
        var gauges = KeptGauges.of(sut.measured().gauges(), gauges());
        boolean breached = evaluation.sla().judgement() == Judgement.BREACHED;
        boolean stoodStill = limitSeconds > 0 && Stream.of(KnownGauge.GC_PAUSE, KnownGauge.PROCESS_PAUSE)
                .map(gauge -> gauges.get(gauge.gaugeName()))
                .anyMatch(level -> level != null && level.most() >= STANDSTILL_PART * limitSeconds);
        boolean followed = requestedLoad.settled() && inForce.requestsPerSecond() > 0
                && inForce.requestsPerSecond() <= MAX_REACHABLE_PART * bounds.reachableRequestsPerSecond();
        return new LoadSegment(inForce.phase(), TrafficStats.of(sut.measured(), sut.inFlight()),
                evaluation.sla().measurements().of(Scope.PEERS)
                        .map(peers -> TrafficStats.of(peers, window.peersInFlight(bounds.sut())))
                        .orElse(TrafficStats.NONE),
                breached
                        ? new BreachedWindows(1, stoodStill ? 1 : 0, peersBroke(evaluation) ? 1 : 0)
                        : BreachedWindows.NONE,
                followed
                        ? new Delivery(inForce.requestsPerSecond() * window.length().toNanos() / 1e9,
                                sut.measured().started())
                        : Delivery.NONE,
                NoiseExposure.of(tightestOnLatency(evaluation), gauges, noiseLimits()), gauges);
    }

    /**
     * Returns true when the peers break a rule as well, beyond chance. When the SUT has nearly all of the traffic, the p99 of the
     * peers may be the slowest of only fifty requests.
     */
    private static boolean peersBroke(WindowEvaluation evaluation) {
        return evaluation.atPeers().stream().filter(outcome -> outcome.judgement() == Judgement.BREACHED)
                .flatMap(outcome -> outcome.comparisons().stream())
                .anyMatch(comparison -> comparison.judgement() == Judgement.BREACHED
                        && comparison.proportion().map(RunStatistics::beyondChance).orElse(true));
    }

    /** Tests by the binomial distribution at 5 % that more requests exceed than the rule allows. */
    private static boolean beyondChance(Proportion proportion) {
        return 1 - new BinomialDistribution(null, Math.toIntExact(proportion.requests()), proportion.allowedRatio())
                .cumulativeProbability(Math.toIntExact(proportion.exceeding()) - 1) < SIGNIFICANCE;
    }

    /** Returns the limits of those signs of noise that the run has reported. Without a baseline the first block is the natural load. */
    private Map<NoiseExposure.Sign, Double> noiseLimits() {
        var noiseLimits = new EnumMap<NoiseExposure.Sign, Double>(NoiseExposure.Sign.class);
        for (var sign : NoiseExposure.Sign.values()) {
            blocks.stream().filter(block -> block.phase() == SearchAdvice.Phase.BASELINE)
                    .flatMap(block -> block.level(sign.gauge()).stream()).reduce(GaugeStats::then)
                    .or(() -> blocks.stream().flatMap(block -> block.level(sign.gauge()).stream()).findFirst())
                    .ifPresent(natural -> noiseLimits.put(sign, sign.limit(natural.mean())));
        }
        return noiseLimits;
    }

    private List<LoadSegment> withBlock(LoadSegment next) {
        var all = new ArrayList<>(blocks);
        if (!all.isEmpty() && all.getLast().phase() == next.phase()
                && all.getLast().seconds() + next.seconds() <= BLOCK_SECONDS) {
            all.set(all.size() - 1, all.getLast().then(next));
            return all;
        }
        all.add(next);
        if (all.size() > MAX_SEGMENTS) {
            mergeMostSimilar(all);
        }
        return all;
    }

    /** Merges the two most similar neighbours. The newest block is still growing and is left alone. */
    private static void mergeMostSimilar(List<LoadSegment> all) {
        int first = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i + 2 < all.size(); i++) {
            double difference = all.get(i).differenceFrom(all.get(i + 1));
            if (difference < least) {
                least = difference;
                first = i;
            }
        }
        all.set(first, all.get(first).then(all.remove(first + 1)));
    }

    private Map<String, InstanceActivity> activity(ServiceWindow window, double second) {
        double seconds = window.length().toNanos() / 1e9;
        var merged = new HashMap<String, InstanceActivity>(instances);
        merged.replaceAll((address, presence) -> presence.then(seconds,
                Optional.ofNullable(window.instances().get(address)).map(instance -> instance.measured().started())
                        .orElse(0L)));
        new TreeMap<>(window.instances()).forEach((address, instance) -> {
            if (instance.measured().started() > 0 && merged.size() < MAX_INSTANCES) {
                merged.putIfAbsent(address, InstanceActivity.from(second, instance.measured().started()));
            }
        });
        return merged;
    }

    private static OptionalDouble uptime(WindowEvaluation evaluation) {
        return evaluation.sla().measurements().of(Scope.SUT)
                .map(measured -> measured.gauges().get(KnownGauge.PROCESS_UPTIME.gaugeName())).filter(Double::isFinite)
                .map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
    }

    /** Returns the limit that allows the smallest ratio of requests above 0; empty when no rule is such a proportion. */
    private static Optional<Proportion> tightest(WindowEvaluation evaluation) {
        return proportions(evaluation).min(Comparator.comparingDouble(Proportion::allowedRatio));
    }

    /** Returns the tightest limit on slow requests, which noise of the machine raises; without one that on any requests. */
    private static Optional<Proportion> tightestOnLatency(WindowEvaluation evaluation) {
        return proportions(evaluation).filter(proportion -> proportion.kind() == Proportion.Kind.SLOW)
                .min(Comparator.comparingDouble(Proportion::allowedRatio)).or(() -> tightest(evaluation));
    }

    private static Stream<Proportion> proportions(WindowEvaluation evaluation) {
        return evaluation.sla().deciding().stream().flatMap(outcome -> outcome.comparisons().stream())
                .flatMap(comparison -> comparison.proportion().stream())
                .filter(proportion -> proportion.allowedRatio() > 0);
    }

    private static OptionalDouble latencyLimit(WindowEvaluation evaluation) {
        return evaluation.sla().deciding().stream().flatMap(outcome -> outcome.comparisons().stream())
                .filter(comparison -> comparison.unit() == MetricUnit.SECONDS)
                .flatMapToDouble(comparison -> comparison.threshold().stream()).filter(limit -> limit > 0).min();
    }
}
