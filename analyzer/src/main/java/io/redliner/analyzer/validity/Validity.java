// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.diagnosis.Figure;
import io.redliner.analyzer.evidence.Block;
import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.evidence.Flow;
import io.redliner.analyzer.evidence.Gauge;
import io.redliner.analyzer.search.Advice;
import io.redliner.sla.Unit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a run's result can be trusted. All checks are always told, those that could not be made as unknown. Only what is
 * {@link Verdict#INVALID} takes the answer away: what was not measured does not.
 */
public final class Validity {

    /** A judgement of the search is made from at least so many seconds. */
    private static final double JUDGEMENT_SECONDS = 6;

    private Validity() {}

    /**
     * All checks, in a fixed order.
     *
     * @param sut as host:port
     */
    public static List<ValidityCheck> of(Evidence evidence, String sut) {
        return List.of(Laws.littlesLaw(evidence), Laws.throughput(evidence), Fleet.share(evidence),
                Peers.latency(evidence), Peers.errors(evidence), Peers.breaches(evidence),
                Observers.telemetry(evidence),
                Observers.proxy(evidence), Observers.collector(evidence), Observers.analyzer(evidence),
                Observers.clocks(evidence), samples(evidence), Fleet.unchanged(evidence, sut), Fleet.mix(evidence),
                pauses(evidence), Observers.host(evidence), Observers.requestIds(evidence),
                Observers.unknownProxies(evidence));
    }

    /** Why the run is not to be used; empty when it is. */
    public static Optional<String> objection(List<ValidityCheck> checks) {
        var objections = checks.stream().filter(check -> check.verdict() == Verdict.INVALID)
                .map(check -> check.name() + ": " + check.words()).toList();
        return objections.isEmpty() ? Optional.empty() : Optional.of(String.join("; and ", objections));
    }

    /** A p99 needs at least 100 requests in a judgement, else one slow request decides it. */
    private static ValidityCheck samples(Evidence evidence) {
        var loaded = evidence.blocks().stream().filter(block -> block.phase() != Advice.Phase.BASELINE)
                .map(Block::sut).reduce(Flow.NONE, Flow::plus);
        var seen = loaded.seconds() > 0 ? loaded : evidence.sut();
        if (seen.seconds() <= 0) {
            return ValidityCheck.unknown("samples", "no request was seen");
        }
        if (evidence.smallestAllowedRatio() <= 0) {
            return new ValidityCheck("samples", Verdict.OK, OptionalDouble.empty(), OptionalDouble.empty(), Unit.COUNT,
                    "no rule allows a part of the requests to break it");
        }
        double needed = 1 / evidence.smallestAllowedRatio();
        double got = seen.requestsPerSecond() * JUDGEMENT_SECONDS;
        var verdict = seen.started() < needed ? Verdict.INVALID : got < needed ? Verdict.DOUBTFUL : Verdict.OK;
        return new ValidityCheck("samples", verdict, OptionalDouble.of(got), OptionalDouble.of(needed), Unit.COUNT,
                Figure.words(got, Unit.COUNT) + " requests came in " + Math.round(JUDGEMENT_SECONDS)
                        + " s at the SUT, and " + seen.started() + " in all; a rule that "
                        + Figure.words(evidence.smallestAllowedRatio(), Unit.RATIO) + " may break needs "
                        + Figure.words(needed, Unit.COUNT));
    }

    private static ValidityCheck pauses(Evidence evidence) {
        var gauges = List.of(Gauge.GC_PAUSE, Gauge.PROCESS_PAUSE);
        boolean measured = evidence.blocks().stream()
                .anyMatch(block -> gauges.stream().anyMatch(gauge -> block.level(gauge).isPresent()));
        if (!measured) {
            return ValidityCheck.unknown("pauses", "neither gc.pause nor process.pause was measured");
        }
        int broken = evidence.blocks().stream().mapToInt(Block::breached).sum();
        int paused = evidence.blocks().stream().mapToInt(Block::stoodStill).sum();
        double part = broken == 0 ? 0 : (double) paused / broken;
        return ValidityCheck.atMost("pauses", part, 0.5, Double.POSITIVE_INFINITY, Unit.RATIO,
                paused + " of " + broken + " broken windows had a pause of the JVM or the process of half the latency"
                        + " limit or more (" + longest(evidence, gauges) + ")");
    }

    private static String longest(Evidence evidence, List<Gauge> gauges) {
        return String.join(", ", gauges.stream().flatMap(gauge -> evidence.blocks().stream()
                .flatMap(block -> block.level(gauge).stream()).map(level -> level.most()).max(Double::compare)
                .map(most -> gauge.gaugeName() + " up to " + Figure.words(most, Unit.SECONDS)).stream()).toList());
    }
}
