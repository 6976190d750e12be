// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Compares an estimate with the loads that held in the same run. A capacity below a load that held is no answer. */
final class Contradiction {

    /** Requests, in multiples of what may show one exceedance, after which a load counts as held. Late requests come in bursts. */
    private static final double MIN_PER_ALLOWED = 50;

    /** Seconds above the interval, over several steps: one step above the capacity can hold by chance. */
    private static final double MIN_SECONDS = 20;

    private Contradiction() {}

    /**
     * Returns why an estimate cannot be true, with both figures; empty when nothing contradicts it.
     *
     * @param evidence of every step of the search
     */
    static Optional<String> of(CapacityEstimate estimate, BaselineProfile base, StepEvidence evidence) {
        if (estimate.capacity() < base.load()) {
            return Optional.of(words(estimate, base.load(), "at the natural share"));
        }
        boolean broken = evidence.exposures().stream().anyMatch(step -> step.load() > estimate.high()
                && (step.alarmed() || !step.broken().isEmpty()));
        return broken
                ? Optional.empty()
                : evidence.blocks().entrySet().stream()
                        .flatMapToDouble(limit -> held(limit.getValue(), base.allowed(limit.getKey()), estimate.high())
                                .stream())
                        .mapToObj(load -> words(estimate, load, "in earlier steps")).findFirst();
    }

    /** Returns the mean load of the steps above the interval when a limit held over all of them together. */
    private static OptionalDouble held(List<ExceedancePoint> steps, double allowed, double high) {
        var above = steps.stream().filter(step -> step.requestsPerSecond() > high).toList();
        double seconds = above.stream().mapToDouble(ExceedancePoint::seconds).sum();
        double requests = above.stream().mapToDouble(ExceedancePoint::requests).sum();
        double exceeding = above.stream().mapToDouble(ExceedancePoint::exceeding).sum();
        return seconds >= MIN_SECONDS && requests >= MIN_PER_ALLOWED / allowed && exceeding <= allowed * requests
                ? above.stream().mapToDouble(ExceedancePoint::requestsPerSecond).average()
                : OptionalDouble.empty();
    }

    private static String words(CapacityEstimate estimate, double held, String where) {
        return String.format(Locale.ROOT,
                "contradiction: %.1f requests/s were found (%.1f to %.1f), and %.1f requests/s"
                        + " held before %s: something changed during the run",
                estimate.capacity(), estimate.low(),
                estimate.high(), held, where);
    }
}
