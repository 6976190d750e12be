// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchHistory.Exposure;
import io.redliner.analyzer.search.SearchHistory.LatencyPoint;
import io.redliner.analyzer.search.SearchHistory.LevelPoint;
import io.redliner.analyzer.search.SearchPhaseState.Riding;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A dwell and what was learnt from it.
 *
 * @param dwell that ended
 * @param counted what counts of it
 * @param load that arrived, requests/s
 * @param alarmed whether an alarm cut it off
 * @param ride with this dwell in it
 */
record StepOutcome(Riding dwell, LoadTotals counted, double load, boolean alarmed, SearchHistory ride) {

    private static final double RETROGRADE = 0.95;

    private static final double FEWEST_SATURATED = 300;

    static StepOutcome ofCompletedStep(Riding dwell, SearchSettings settings) {
        var counted = dwell.counted();
        double load = counted.load();
        var ride = dwell.ride();
        var blocks = new TreeMap<>(ride.blocks());
        counted.tallies().forEach((limit, tally) -> ExceedancePoint.put(blocks, limit,
                block(load, tally.requests(), tally.exceeding(), counted.seconds(), false)));
        var levels = new TreeMap<>(ride.levels());
        counted.levels().forEach((limit, sum) -> levels.merge(limit,
                List.of(new LevelPoint(load, sum / counted.seconds(), counted.seconds())), StepOutcome::joined));
        double completed = counted.completed();
        double sustained = completed / counted.seconds() * (1 - 2 / Math.sqrt(Math.max(completed, 4)));
        var learnt = new SearchHistory(ride.since(), ride.low(), ride.high(), blocks, levels,
                SearchHistory.append(ride.exposures(),
                        new Exposure(load, counted.seconds() + SearchSettings.seconds(settings.settling()), false,
                                counted.broken())),
                completed > 0
                        ? SearchHistory.append(ride.latencies(),
                                new LatencyPoint(load, Math.max(1e-9, counted.latency())))
                        : ride.latencies(),
                Math.max(ride.highest(), load), Math.max(ride.highestThroughput(), sustained), ride.alarms(),
                ride.retrograde(), ride.calm(), ride.capped(), ride.felt(), ride.breaches(), ride.belief());
        return new StepOutcome(dwell, counted, load, false, collapsing(learnt, dwell));
    }

    /** @param peak the load that raised the alarm, requests/s */
    static StepOutcome ofCensoredStep(Riding dwell, AlarmDetector.RaisedAlarm raised, double peak,
            SearchSettings settings) {
        var ride = dwell.ride();
        var blocks = new TreeMap<>(ride.blocks());
        if (!ride.retrograde()) {
            for (String limit : raised.limits()) {
                var tally = dwell.whole().tally(limit);
                double requests = Math.max(tally.requests(), peak * dwell.seconds());
                ExceedancePoint.put(blocks, limit,
                        block(peak, requests, Math.min(requests, tally.exceeding() + raised.doomed()),
                                dwell.seconds(), true));
            }
        }
        var breaches = new TreeMap<>(ride.breaches());
        raised.limits().forEach(limit -> breaches.put(limit, raised.breach()));
        raised.levels().keySet().forEach(limit -> breaches.put(limit, raised.breach()));
        var counted = dwell.counted();
        var learnt = new SearchHistory(ride.since(), ride.low(), ride.high(), blocks, ride.levels(),
                SearchHistory.append(ride.exposures(),
                        new Exposure(peak, dwell.seconds() + SearchSettings.seconds(settings.settling()), true,
                                raised.levels())),
                counted.completed() > 0
                        ? SearchHistory.append(ride.latencies(),
                                new LatencyPoint(peak, Math.max(1e-9, counted.latency())))
                        : ride.latencies(),
                Math.max(ride.highest(), peak), ride.highestThroughput(), SearchHistory.append(ride.alarms(), peak),
                ride.retrograde(), ride.calm(), ride.capped(), ride.felt(), breaches, ride.belief());
        return new StepOutcome(dwell, counted, peak, true, collapsing(learnt, dwell));
    }

    private static SearchHistory collapsing(SearchHistory ride, Riding dwell) {
        var senses = dwell.common().senses();
        if (ride.retrograde() || senses.saturation().seconds() < 2
                || senses.saturation().completed() <= FEWEST_SATURATED) {
            return ride;
        }
        double throughput = senses.saturation().throughput();
        double error = senses.saturation().error();
        if (throughput * (1 + 2 * error) >= RETROGRADE * ride.highestThroughput()) {
            return ride;
        }
        var uncensored = new TreeMap<String, List<ExceedancePoint>>();
        ride.blocks().forEach((limit, blocks) -> uncensored.put(limit,
                blocks.stream().filter(block -> !block.censored()).toList()));
        return ride.collapsing(uncensored);
    }

    private static ExceedancePoint block(double load, double requests, double exceeding, double seconds,
            boolean censored) {
        return new ExceedancePoint(load, requests, Math.min(exceeding, requests), seconds, censored);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
