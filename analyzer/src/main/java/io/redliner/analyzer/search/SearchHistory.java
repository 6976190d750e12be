// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Results of the steps since the ramp ended for the first time.
 *
 * @param since seconds of the search at which the ramp ended
 * @param range of the grid of capacities
 * @param evidence of the steps
 * @param retrograde true when throughput falls beyond the knee
 * @param stepsBelowKnee steps in a row without a sign of the knee
 * @param capped time at the highest reachable load
 * @param kneeReached true when the knee lies at or below the highest load tried
 * @param posterior of the capacity from these results; empty while no limit binds
 */
public record SearchHistory(double since, LoadRange range, StepEvidence evidence, boolean retrograde,
        int stepsBelowKnee, Capped capped, boolean kneeReached, Optional<CapacityPosterior> posterior) {

    /** Name of the limit that is broken by repeated stalls, in which hardly any request completes. */
    static final String STALL = "stall";

    /**
     * The ends of the grid of capacities, requests/s.
     *
     * @param low lower end
     * @param high upper end
     */
    public record LoadRange(double low, double high) {

        /** Returns a range around the load at which the knee showed. */
        static LoadRange around(double load) {
            return new LoadRange(0.8 * load, 1.3 * load);
        }

        /** Widens the range when the posterior's interval reaches an end of it. */
        private LoadRange containing(CapacityPosterior posterior, double highest) {
            return new LoadRange(posterior.low() < 1.015 * low && low > 0.5 * highest ? 0.9 * low : low,
                    posterior.high() > 0.985 * high && high < 1.6 * highest ? 1.1 * high : high);
        }
    }

    /**
     * Time at the highest reachable load.
     *
     * @param requests in that time
     * @param loadSeconds integral of the load over that time
     */
    public record Capped(double seconds, double requests, double loadSeconds) {

        static final Capped NOT = new Capped(0, 0, 0);
    }

    static SearchHistory from(double since, LoadRange range) {
        return new SearchHistory(since, range, StepEvidence.NONE, false, 0, Capped.NOT, false, Optional.empty());
    }

    /** Continues after another ramp. Without a posterior, the time of the confirm phase counts from the end of this ramp. */
    SearchHistory resumed(double seconds) {
        return new SearchHistory(posterior.isEmpty() ? seconds : since, range, evidence, retrograde, stepsBelowKnee,
                capped, kneeReached, posterior);
    }

    SearchHistory on(LoadRange newRange) {
        return new SearchHistory(since, newRange, evidence, retrograde, stepsBelowKnee, capped, kneeReached, posterior);
    }

    SearchHistory with(StepEvidence newEvidence) {
        return new SearchHistory(since, range, newEvidence, retrograde, stepsBelowKnee, capped, kneeReached, posterior);
    }

    SearchHistory withPosterior(CapacityPosterior newPosterior, boolean newKneeReached) {
        return new SearchHistory(since, range, evidence, retrograde, stepsBelowKnee, capped, newKneeReached,
                Optional.of(newPosterior));
    }

    SearchHistory counting(int newStepsBelowKnee, Capped newCapped) {
        return new SearchHistory(since, range, evidence, retrograde, newStepsBelowKnee, newCapped, kneeReached,
                posterior);
    }

    /** Makes the collapse the limit, and keeps only uncensored steps: a step that a collapse cut off is no evidence of a slope. */
    SearchHistory collapsing() {
        return new SearchHistory(since, range, evidence.uncensored(), true, stepsBelowKnee, capped, kneeReached,
                posterior);
    }

    /** Widens the grid when the posterior's interval reaches an end of it. */
    SearchHistory within(CapacityPosterior posterior) {
        LoadRange wider = range.containing(posterior, evidence.highest());
        return wider.equals(range) ? this : on(wider);
    }

    static <T> List<T> append(List<T> list, T last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }
}
