// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What a search has learnt.
 *
 * @param baselineLatencySeconds mean time at the SUT at its natural load
 * @param good measured loads that held, in requests/s
 * @param bad the lowest load that did not hold
 * @param step counts the moves to another load
 * @param inconclusive windows in a row
 * @param failedConfirmations so far
 * @param confirmed the highest load that held for as long as a confirmation takes
 */
record Findings(double baselineLatencySeconds, List<Double> good, Optional<Estimate.Breach> bad, int step,
        int inconclusive, int failedConfirmations, Optional<Confirmed> confirmed) {

    /**
     * A load that held for as long as a confirmation takes.
     *
     * @param noise half width of the 95 % interval around it, relative to the load
     */
    record Confirmed(double requestsPerSecond, double noise) {}

    static final Findings NOTHING = new Findings(0, List.of(), Optional.empty(), 0, 0, 0, Optional.empty());

    Findings {
        good = List.copyOf(good);
    }

    Findings baseline(double meanLatencySeconds, double requestsPerSecond) {
        return new Findings(meanLatencySeconds, List.of(requestsPerSecond), bad, step, inconclusive,
                failedConfirmations, confirmed);
    }

    Findings held(double requestsPerSecond) {
        return new Findings(baselineLatencySeconds,
                Stream.concat(good.stream(), Stream.of(requestsPerSecond)).toList(), bad, step, inconclusive,
                failedConfirmations, confirmed);
    }

    /** A load that broke is believed more than one that held above it. The natural load held for sure. */
    Findings broke(Estimate.Breach breach) {
        var lowest = bad.filter(known -> known.requestsPerSecond() < breach.requestsPerSecond()).orElse(breach);
        var below = Stream.concat(Stream.of(good.getFirst()),
                good.stream().skip(1).filter(load -> load < lowest.requestsPerSecond())).toList();
        return new Findings(baselineLatencySeconds, below, Optional.of(lowest), step, inconclusive,
                failedConfirmations, confirmed);
    }

    Findings moved() {
        return new Findings(baselineLatencySeconds, good, bad, step + 1, inconclusive, failedConfirmations, confirmed);
    }

    Findings counted(JudgedWindow window) {
        return new Findings(baselineLatencySeconds, good, bad, step, window.conclusive() ? 0 : inconclusive + 1,
                failedConfirmations, confirmed);
    }

    Findings confirmationFailed() {
        return new Findings(baselineLatencySeconds, good, bad, step, inconclusive, failedConfirmations + 1,
                confirmed);
    }

    Findings confirmed(double requestsPerSecond, double noise) {
        var held = held(requestsPerSecond);
        return new Findings(baselineLatencySeconds, held.good, bad, step, inconclusive, failedConfirmations,
                Optional.of(new Confirmed(requestsPerSecond, noise)));
    }

    /** The highest load that held. */
    OptionalDouble lastGood() {
        return good.stream().max(Comparator.naturalOrder()).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
    }

    /** While the search goes on: the answer is between the last good and the first bad load. */
    Optional<Estimate> estimate() {
        var lastGood = lastGood();
        if (lastGood.isEmpty()) {
            return Optional.empty();
        }
        double load = lastGood.getAsDouble();
        return Optional.of(new Estimate(load, load,
                bad.map(Estimate.Breach::requestsPerSecond).orElse(Double.POSITIVE_INFINITY), lastGood, bad));
    }
}
