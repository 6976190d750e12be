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
 * Tests every window for an alarm, and keeps from earlier windows only the sums of a sequential test.
 *
 * @param sums the one-sided CUSUM of a proportion's log likelihood ratio (Page 1954), by limit
 * @param breaches windows in a row in which a level was broken, by rule or limit
 * @param queued windows in a row with a queue that makes users late
 * @param alarm that the last window raised; empty without one
 */
public record AlarmDetector(Map<String, Double> sums, Map<String, Integer> breaches, int queued,
        Optional<RaisedAlarm> alarm) {

    /** Requests in flight at the SUT up to which there is no queue. */
    private static final int MIN_QUEUED = 20;

    static final AlarmDetector START = new AlarmDetector(Map.of(), Map.of(), 0, Optional.empty());

    /**
     * An alarm.
     *
     * @param limits the limits on a proportion of requests that raised it
     * @param levels the other limits that raised it, with the seconds for which they were broken
     * @param doomed requests in flight that are not late yet and will be
     * @param breach to report
     */
    public record RaisedAlarm(Set<String> limits, Map<String, Double> levels, double doomed,
            CapacityEstimate.Breach breach) {

        /** Shortest time for which a broken level is reported. */
        private static final double MIN_SECONDS = 1;

        public RaisedAlarm {
            limits = Set.copyOf(limits);
            levels = SortedMaps.copyOf(levels);
        }

        /** Returns the longest time in seconds for which a level was broken; 0 when none was. */
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

    /** Returns the largest sum over all limits; 0 without evidence of a breach. */
    double largestSum() {
        return sums.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** @param nearKnee true in the confirm phase, where the load is held near the estimated knee */
    AlarmDetector next(SearchInput window, SutSignals signals, SearchSettings.Alarm settings, boolean nearKnee) {
        var newSums = new TreeMap<>(sums);
        var newBreaches = new TreeMap<String, Integer>();
        var limits = new TreeSet<String>();
        var levels = new TreeMap<String, Double>();
        Optional<CapacityEstimate.Breach> breach = Optional.empty();
        var watched = window.limits();
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

    /**
     * Returns the ratio that the test detects: r times the allowed one, but at most halfway from it to 1, as a median rule allows
     * so much that r times it is above 1.
     */
    private static double noticed(double allowed, SearchSettings.Alarm settings) {
        return Math.min(settings.ratio() * allowed, (1 + allowed) / 2);
    }

    /** Returns true when a request that arrives now will be late: by Little's law it stays for in-flight / throughput. */
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
