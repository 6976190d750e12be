// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Judgement;
import io.redliner.sla.Proportion;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The alarm: looks at every window, and remembers of earlier ones only what a sequential test needs.
 *
 * @param sums by limit: the one-sided CUSUM of a proportion's log likelihood ratio (Page 1954)
 * @param breaches by rule or limit: windows in a row in which a level was broken
 * @param queued windows in a row with a queue that makes users late
 * @param alarm what was raised by the last window, if anything was
 */
public record AlarmDetector(Map<String, Double> sums, Map<String, Integer> breaches, int queued,
        Optional<RaisedAlarm> alarm) {

    /** Fewer requests at the SUT are no queue. */
    private static final int MIN_QUEUED = 20;

    static final AlarmDetector START = new AlarmDetector(Map.of(), Map.of(), 0, Optional.empty());

    /**
     * An alarm.
     *
     * @param limits on a proportion of requests that were exceeded so often that the alarm was raised
     * @param levels other limits that were broken for so long that it was, with the seconds
     * @param doomed requests in flight that will be late although they are not yet
     * @param breach what to tell
     */
    public record RaisedAlarm(Set<String> limits, Map<String, Double> levels, double doomed,
            CapacityEstimate.Breach breach) {

        /** For less nothing is shed. */
        private static final double MIN_SECONDS = 1;

        public RaisedAlarm {
            limits = Set.copyOf(limits);
            levels = SortedMaps.copyOf(levels);
        }

        /** Seconds for which a level was broken; 0 when none was. */
        double longest() {
            return levels.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }

        static RaisedAlarm level(String limit, CapacityEstimate.Breach breach) {
            return new RaisedAlarm(Set.of(), Map.of(limit, MIN_SECONDS), 0, breach);
        }
    }

    public AlarmDetector {
        sums = SortedMaps.copyOf(sums);
        breaches = SortedMaps.copyOf(breaches);
    }

    /** The evidence against a limit so far: 0 for none. */
    double largestSum() {
        return sums.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** @param nearKnee whether the load lies where the knee is believed to be */
    AlarmDetector next(SearchInput window, SutSignals signals, SearchSettings.Alarm settings, boolean nearKnee) {
        var newSums = new TreeMap<>(sums);
        var newBreaches = new TreeMap<String, Integer>();
        var limits = new TreeSet<String>();
        var levels = new TreeMap<String, Double>();
        Optional<CapacityEstimate.Breach> breach = Optional.empty();
        var watched = RuleLimit.all(window.outcomes());
        for (var limit : watched) {
            if (limit.proportion().isPresent()) {
                var proportion = limit.proportion().get();
                double sum = sum(limit, proportion, settings);
                newSums.put(limit.key(), sum);
                if (sum > threshold(proportion, signals, settings, nearKnee)) {
                    limits.add(limit.key());
                    breach = breach.or(() -> Optional.of(limit.breach(signals.load(), String.format(Locale.ROOT,
                            "%d of %d requests of the last window exceed it", proportion.exceeding(),
                            proportion.requests()))));
                }
            } else if (limit.judgement() == Judgement.BREACHED) {
                int inARow = breaches.getOrDefault(limit.key(), 0) + 1;
                newBreaches.put(limit.key(), inARow);
                if (inARow >= settings.levelWindows()) {
                    levels.put(limit.key(), Math.max(RaisedAlarm.MIN_SECONDS, inARow * window.seconds()));
                    breach = breach.or(() -> Optional.of(limit.breach(signals.load(),
                            "broken " + inARow + " windows in a row")));
                }
            }
        }
        var queue = watched.stream().filter(limit -> late(limit, signals, settings, nearKnee))
                .findFirst();
        int inARow = queue.isPresent() ? queued + 1 : 0;
        return new AlarmDetector(newSums, newBreaches, inARow, breach.map(it -> new RaisedAlarm(limits, levels, 0, it))
                .or(() -> queue.filter(unused -> inARow >= settings.queueWindows())
                        .map(limit -> queue(limit, signals))));
    }

    private double sum(RuleLimit limit, Proportion proportion, SearchSettings.Alarm settings) {
        double allowed = proportion.allowedRatio();
        double noticed = noticed(allowed, settings);
        return Math.max(0, sums.getOrDefault(limit.key(), 0.0) + proportion.exceeding() * Math.log(noticed / allowed)
                + (proportion.requests() - proportion.exceeding()) * Math.log((1 - noticed) / (1 - allowed)));
    }

    private static double threshold(Proportion proportion, SutSignals signals, SearchSettings.Alarm settings,
            boolean nearKnee) {
        if (!nearKnee) {
            return settings.ramping();
        }
        double allowed = proportion.allowedRatio();
        return Math.max(settings.confirming(), Math.log(noticed(allowed, settings) / allowed) * allowed * signals.load()
                * SearchSettings.seconds(settings.allowance()));
    }

    /** r times the allowance may be more than everything: a median rule is tested against half of what is left. */
    private static double noticed(double allowed, SearchSettings.Alarm settings) {
        return Math.min(settings.ratio() * allowed, (1 + allowed) / 2);
    }

    /** By Little's law a request that arrives now will stay for in-flight / throughput. */
    private static boolean late(RuleLimit limit, SutSignals signals, SearchSettings.Alarm settings, boolean nearKnee) {
        return limit.latencySeconds().isPresent() && signals.inFlight() > MIN_QUEUED
                && signals.inFlight() / Math.max(signals.throughput(), 1e-9) > limit.latencySeconds().getAsDouble()
                        * (nearKnee ? settings.confirmingQueue() : settings.rampingQueue());
    }

    private static RaisedAlarm queue(RuleLimit limit, SutSignals signals) {
        double inTime = signals.throughput() * limit.latencySeconds().orElseThrow();
        return new RaisedAlarm(Set.of(limit.key()), Map.of(), Math.max(0, signals.inFlight() - inTime),
                limit.breach(signals.load(), signals.inFlight() + " requests queue: users will be late"));
    }
}
