// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.sla.Judgement;
import io.redliner.sla.Proportion;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Requests at the SUT that broke the SLA beyond what its peers saw: had they gone to a peer, as many would have broken
 * it as the peers' own proportion says. Below zero when the SUT did better than its peers. A request can be late by
 * several limits, so the worst limit counts, and the worst error ratio beside it. A limit on a level, such as a gauge,
 * does not say which requests it hurt: while the SUT breaks it and its peers would not, all count.
 */
final class Harm {

    private Harm() {}

    static double of(List<RuleEvaluation> outcomes, ScopedStats measurements) {
        double counted = worst(outcomes, measurements, Proportion.Kind.SLOW) + worst(outcomes, measurements,
                Proportion.Kind.FAILED);
        return outcomes.stream().anyMatch(outcome -> breaksLevel(outcome, measurements))
                ? Math.max(counted, measurements.of(Scope.SUT).map(WindowStats::started).orElse(0L))
                : counted;
    }

    private static boolean breaksLevel(RuleEvaluation outcome, ScopedStats measurements) {
        return outcome.judgement() == Judgement.BREACHED
                && outcome.comparisons().stream()
                        .anyMatch(comparison -> comparison.scope() == Scope.SUT
                                && comparison.judgement() == Judgement.BREACHED && comparison.proportion().isEmpty())
                && measurements.of(Scope.PEERS)
                        .map(peers -> outcome.rule().evaluate(measurements.with(Scope.SUT, peers)).judgement())
                        .filter(atPeers -> atPeers == Judgement.BREACHED).isEmpty();
    }

    private static double worst(List<RuleEvaluation> outcomes, ScopedStats measurements, Proportion.Kind kind) {
        return outcomes.stream().flatMapToDouble(outcome -> excesses(outcome, measurements, kind)).max().orElse(0);
    }

    private static DoubleStream excesses(RuleEvaluation outcome, ScopedStats measurements, Proportion.Kind kind) {
        var atPeers = measurements.of(Scope.PEERS)
                .map(peers -> outcome.rule().evaluate(measurements.with(Scope.SUT, peers)));
        return IntStream.range(0, outcome.comparisons().size())
                .filter(i -> outcome.comparisons().get(i).scope() == Scope.SUT)
                .mapToObj(i -> outcome.comparisons().get(i).proportion()
                        .filter(proportion -> proportion.kind() == kind)
                        .map(proportion -> excess(proportion,
                                atPeers.flatMap(peers -> peers.comparisons().get(i).proportion()))))
                .flatMap(Optional::stream).mapToDouble(Double::doubleValue);
    }

    private static double excess(Proportion sut, Optional<Proportion> peers) {
        double usual = peers.filter(proportion -> proportion.requests() > 0).map(Proportion::ratio).orElse(0.0);
        return sut.exceeding() - usual * sut.requests();
    }
}
