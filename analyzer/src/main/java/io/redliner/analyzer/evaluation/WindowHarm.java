// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.sla.Judgement;
import io.redliner.sla.Proportion;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Requests of one window at the SUT that broke the SLA, and the excess over its peers: the number that would not have broken it at
 * the peers' proportion. A request can break several limits, so only the worst latency limit and the worst error ratio count. A
 * limit on a level, such as a gauge, does not tell which requests it hurt. While the SUT breaks it, all requests count as broken,
 * and as excess unless the peers break it too.
 *
 * @param broken requests that broke the SLA, for any reason
 * @param beyondPeers the excess over the peers; negative when the SUT did better
 */
public record WindowHarm(long broken, double beyondPeers) {

    /** A rule's results on the SUT and, if there are peers, on their measurements instead of the SUT's. */
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

    /** @param atPeers results of the deciding rules on the peers; empty without peers */
    static WindowHarm of(SlaEvaluation sla, List<RuleEvaluation> atPeers) {
        var outcomes = sla.deciding();
        var rules = IntStream.range(0, outcomes.size()).mapToObj(i -> new Compared(outcomes.get(i),
                atPeers.isEmpty() ? Optional.empty() : Optional.of(atPeers.get(i)))).toList();
        long all = sla.measurements().of(Scope.SUT).map(WindowStats::started).orElse(0L);
        double excess = worst(rules, true) + worst(rules, false);
        long exceeding = exceeding(rules, true) + exceeding(rules, false);
        return new WindowHarm(
                rules.stream().anyMatch(Compared::breaksLevel) ? Math.max(exceeding, all) : exceeding,
                rules.stream().anyMatch(Compared::breaksLevelAlone) ? Math.max(excess, (double) all) : excess);
    }

    private static double worst(List<Compared> rules, boolean slow) {
        return rules.stream().flatMapToDouble(rule -> excesses(rule, slow)).max().orElse(0);
    }

    private static long exceeding(List<Compared> rules, boolean slow) {
        return rules.stream()
                .flatMap(rule -> rule.sut.comparisons().stream())
                .filter(comparison -> comparison.scope() == Scope.SUT)
                .flatMap(comparison -> comparison.proportion().stream())
                .filter(proportion -> (proportion.kind() == Proportion.Kind.SLOW) == slow)
                .mapToLong(Proportion::exceeding)
                .max()
                .orElse(0);
    }

    private static DoubleStream excesses(Compared rule, boolean slow) {
        var atSut = rule.sut.comparisons();
        return IntStream.range(0, atSut.size())
                .filter(i -> atSut.get(i).scope() == Scope.SUT)
                .mapToObj(i -> atSut.get(i).proportion()
                        .filter(proportion -> (proportion.kind() == Proportion.Kind.SLOW) == slow)
                        .map(proportion -> excess(proportion,
                                rule.peers.flatMap(peers -> peers.comparisons().get(i).proportion()))))
                .flatMap(Optional::stream).mapToDouble(Double::doubleValue);
    }

    private static double excess(Proportion sut, Optional<Proportion> peers) {
        double usual = peers.filter(proportion -> proportion.requests() > 0).map(Proportion::ratio).orElse(0.0);
        return sut.exceeding() - usual * sut.requests();
    }
}
