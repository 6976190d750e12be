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
 * Requests of one window at the SUT that broke the SLA, and those of them beyond what its peers saw: had they gone to a peer, as
 * many would have broken it as the peers' own proportion says. A request can be late by several limits, so the worst limit
 * counts, and the worst error ratio beside it. A limit on a level, such as a gauge, does not say which requests it hurt: while
 * the SUT breaks it, all broke the SLA, and they are beyond the peers while those would not break it.
 *
 * @param broken whatever the reason
 * @param beyondPeers below zero when the SUT did better than its peers
 */
public record WindowHarm(long broken, double beyondPeers) {

    /** A rule at the SUT and, where there are peers, on their measurements in the place of the SUT's. */
    private record Compared(RuleEvaluation sut, Optional<RuleEvaluation> peers) {

        boolean breaksLevel() {
            return sut.judgement() == Judgement.BREACHED && sut.comparisons().stream()
                    .anyMatch(comparison -> comparison.scope() == Scope.SUT
                            && comparison.judgement() == Judgement.BREACHED && comparison.proportion().isEmpty());
        }

        boolean breaksLevelAlone() {
            return breaksLevel() && peers.filter(other -> other.judgement() == Judgement.BREACHED).isEmpty();
        }
    }

    /** @param atPeers the same rules as the peers kept them; empty without peers */
    static WindowHarm of(List<RuleEvaluation> outcomes, List<RuleEvaluation> atPeers, ScopedStats measurements) {
        var rules = IntStream.range(0, outcomes.size()).mapToObj(i -> new Compared(outcomes.get(i),
                atPeers.isEmpty() ? Optional.empty() : Optional.of(atPeers.get(i)))).toList();
        long all = measurements.of(Scope.SUT).map(WindowStats::started).orElse(0L);
        double excess = worst(rules, Proportion.Kind.SLOW) + worst(rules, Proportion.Kind.FAILED);
        long exceeding = exceeding(rules, Proportion.Kind.SLOW) + exceeding(rules, Proportion.Kind.FAILED);
        return new WindowHarm(
                rules.stream().anyMatch(Compared::breaksLevel) ? Math.max(exceeding, all) : exceeding,
                rules.stream().anyMatch(Compared::breaksLevelAlone) ? Math.max(excess, (double) all) : excess);
    }

    private static double worst(List<Compared> rules, Proportion.Kind kind) {
        return rules.stream().flatMapToDouble(rule -> excesses(rule, kind)).max().orElse(0);
    }

    private static long exceeding(List<Compared> rules, Proportion.Kind kind) {
        return rules.stream()
                .flatMap(rule -> rule.sut.comparisons().stream())
                .filter(comparison -> comparison.scope() == Scope.SUT)
                .flatMap(comparison -> comparison.proportion().stream())
                .filter(proportion -> proportion.kind() == kind)
                .mapToLong(Proportion::exceeding)
                .max()
                .orElse(0);
    }

    private static DoubleStream excesses(Compared rule, Proportion.Kind kind) {
        var atSut = rule.sut.comparisons();
        return IntStream.range(0, atSut.size())
                .filter(i -> atSut.get(i).scope() == Scope.SUT)
                .mapToObj(i -> atSut.get(i).proportion()
                        .filter(proportion -> proportion.kind() == kind)
                        .map(proportion -> excess(proportion,
                                rule.peers.flatMap(peers -> peers.comparisons().get(i).proportion()))))
                .flatMap(Optional::stream).mapToDouble(Double::doubleValue);
    }

    private static double excess(Proportion sut, Optional<Proportion> peers) {
        double usual = peers.filter(proportion -> proportion.requests() > 0).map(Proportion::ratio).orElse(0.0);
        return sut.exceeding() - usual * sut.requests();
    }
}
