// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.service.report.RuleSummary;
import io.redliner.controller.service.report.WindowBucket;
import io.redliner.controller.service.report.WindowSummary;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sums up windows one by one, as PostgreSQL should do it. */
public final class ExactSums {

    private ExactSums() {}

    /** The summary of windows in order, in buckets of so many. */
    public static WindowSummary summary(List<JudgedWindow> windows, int each) {
        List<WindowBucket> buckets = new ArrayList<>();
        for (int from = 0; from < windows.size(); from += each) {
            buckets.add(bucket(windows.subList(from, Math.min(windows.size(), from + each))));
        }
        return new WindowSummary(rules(windows), buckets);
    }

    /** The buckets of windows that begin in the same multiple of a width since 1970. */
    public static List<WindowBucket> buckets(List<JudgedWindow> windows, Duration width) {
        return windows.stream()
                .collect(Collectors.groupingBy(
                        window -> Math.floorDiv(window.verdict().windowStart().toEpochMilli(), width.toMillis()),
                        TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(ExactSums::bucket)
                .toList();
    }

    private static WindowBucket bucket(List<JudgedWindow> windows) {
        WindowVerdict last = windows.getLast().verdict();
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("shareAsked", most(windows, window -> window.asked().ratio()));
        values.put("shareAskedMin", least(windows, window -> window.asked().ratio()));
        values.put("shareMeasured", most(windows, ExactSums::share));
        values.put("shareMeasuredMin", least(windows, ExactSums::share));
        values.put("requestsPerSecond", mean(windows, window -> window.verdict().sut().requestsPerSecond()));
        values.put("requestsPerSecondMax", most(windows, window -> window.verdict().sut().requestsPerSecond()));
        values.put("requestsPerSecondMin", least(windows, window -> window.verdict().sut().requestsPerSecond()));
        values.put("serviceRequestsPerSecond", mean(windows, window -> window.verdict().serviceRequestsPerSecond()));
        values.put("latencyP50Seconds", most(windows, window -> window.verdict().sut().latencyP50()));
        values.put("latencyP99Seconds", most(windows, window -> window.verdict().sut().latencyP99()));
        values.put("latencyRuleSeconds", most(windows, window -> latency(window, RuleResult::value)));
        values.put("latencyThresholdSeconds", least(windows, window -> latency(window, RuleResult::threshold)));
        values.put("completed", sum(windows, window -> (double) window.verdict().sut().completed()));
        values.put("errors", sum(windows, window -> (double) window.verdict().sut().errors()));
        values.put("errorRatio", most(windows, window -> errorRatio(window.verdict().sut())));
        values.put("inFlight", most(windows, window -> (double) window.verdict().sut().inFlight()));
        values.put("harmRequests", sum(windows, JudgedWindow::harm));
        values.put("utilisation", most(windows, ExactSums::utilisation));
        values.put("breached", (double) count(windows, is(Judgement.BREACHED)));
        values.put("inconclusive", (double) count(windows, is(Judgement.INCONCLUSIVE)));
        values.put("peersRequestsPerSecond", mean(windows, window -> window.verdict().peers().requestsPerSecond()));
        values.put("peersLatencyP50Seconds", most(windows, window -> window.verdict().peers().latencyP50()));
        values.put("peersLatencyP99Seconds", most(windows, window -> window.verdict().peers().latencyP99()));
        values.put("peersErrorRatio", most(windows, window -> errorRatio(window.verdict().peers())));
        windows.stream().map(window -> window.verdict().estimate()).filter(Objects::nonNull)
                .filter(CapacityEstimate::usable).reduce((before, after) -> after).ifPresent(estimate -> {
                    values.put("estimateCapacity", estimate.capacity());
                    values.put("estimateLow", estimate.low());
                    values.put("estimateHigh", estimate.high() > 0 ? estimate.high() : null);
                });
        Map<String, Double> reportValues = new LinkedHashMap<>();
        reportValues.put("asked", windows.getLast().asked().ratio());
        reportValues.put("measured", mean(windows, window -> window.verdict().sut().share().ratio()));
        Double limit = latency(windows.getLast(), RuleResult::threshold);
        reportValues.put("threshold", limit == null ? values.get("latencyThresholdSeconds") : limit);
        slowest(windows).ifPresent(slow -> {
            values.put("requestsPerSecondAtP99", slow.verdict().sut().requestsPerSecond());
            reportValues.put("p50", slow.verdict().sut().latencyP50());
            reportValues.put("peersP99", slow.verdict().peers().latencyP99());
            reportValues.put("breached", is(Judgement.BREACHED).test(slow) ? 1.0 : 0.0);
        });
        values.values().removeIf(Objects::isNull);
        reportValues.values().removeIf(Objects::isNull);
        return new WindowBucket(windows.getFirst().verdict().windowStart(), last.windowEnd(), windows.size(),
                last.sequence(), windows.getLast().phase(), last.advice().step(), values, reportValues);
    }

    private static Optional<JudgedWindow> slowest(List<JudgedWindow> windows) {
        return windows.stream().filter(window -> window.verdict().sut().latencyP99() != null)
                .reduce((one, other) -> Objects.requireNonNull(other.verdict().sut().latencyP99()) > Objects
                        .requireNonNull(one.verdict().sut().latencyP99()) ? other : one);
    }

    private static @Nullable Double share(JudgedWindow window) {
        TrafficSample sut = window.verdict().sut();
        return Objects.equals(sut.shareRequests(), 0L) ? null : sut.share().ratio();
    }

    private static @Nullable Double errorRatio(TrafficSample traffic) {
        return traffic.completed() > 0 ? (double) traffic.errors() / traffic.completed() : null;
    }

    private static @Nullable Double utilisation(JudgedWindow window) {
        return rules(window.verdict()).filter(rule -> !rule.informational()).map(RuleResult::utilisation)
                .filter(Objects::nonNull).max(Comparator.naturalOrder()).orElse(null);
    }

    private static Stream<RuleResult> rules(WindowVerdict verdict) {
        return Stream.concat(verdict.sla().stream(), verdict.guards().stream());
    }

    /** The rule that is the red line in a chart of latencies. */
    public static Optional<RuleResult> latencyRule(WindowVerdict verdict) {
        return verdict.sla().stream().filter(rule -> rule.unit().equals("seconds"))
                .min(Comparator.comparing(RuleResult::informational)
                        .thenComparing(rule -> !rule.expression().contains("latency.p99")));
    }

    private static @Nullable Double latency(JudgedWindow window, Function<RuleResult, @Nullable Double> part) {
        return latencyRule(window.verdict()).map(part).orElse(null);
    }

    private static Predicate<JudgedWindow> is(Judgement judgement) {
        return window -> window.verdict().judgement() == judgement;
    }

    private static long count(Collection<JudgedWindow> windows, Predicate<JudgedWindow> those) {
        return windows.stream().filter(those).count();
    }

    private static @Nullable Double most(List<JudgedWindow> windows, Function<JudgedWindow, @Nullable Double> value) {
        return folded(windows, value, Math::max);
    }

    private static @Nullable Double least(List<JudgedWindow> windows, Function<JudgedWindow, @Nullable Double> value) {
        return folded(windows, value, Math::min);
    }

    private static @Nullable Double sum(List<JudgedWindow> windows, Function<JudgedWindow, @Nullable Double> value) {
        return folded(windows, value, Double::sum);
    }

    private static @Nullable Double mean(List<JudgedWindow> windows, Function<JudgedWindow, @Nullable Double> value) {
        Double sum = sum(windows, value);
        return sum == null ? null : sum / windows.size();
    }

    private static @Nullable Double folded(List<JudgedWindow> windows, Function<JudgedWindow, @Nullable Double> value,
            BinaryOperator<Double> fold) {
        return windows.stream().map(value).filter(Objects::nonNull).reduce(fold).orElse(null);
    }

    /** The summary of each rule: those of the SLA first. */
    public static List<RuleSummary> rules(List<JudgedWindow> windows) {
        Map<String, List<JudgedWindow>> byName = new LinkedHashMap<>();
        windows.forEach(window -> rules(window.verdict())
                .forEach(rule -> byName.computeIfAbsent(rule.name(), name -> new ArrayList<>()).add(window)));
        List<RuleSummary> summaries = new ArrayList<>();
        byName.forEach((name, asked) -> summaries.add(rule(name, asked)));
        return summaries;
    }

    private static RuleSummary rule(String name, List<JudgedWindow> asked) {
        JudgedWindow worst = asked.stream().reduce((one, other) -> worse(named(other, name), named(one, name))
                ? other
                : one).orElseThrow();
        RuleResult rule = named(worst, name);
        Predicate<JudgedWindow> breached = window -> named(window, name).judgement() == Judgement.BREACHED;
        Predicate<JudgedWindow> baseline = window -> window.phase().equals("Baseline");
        return new RuleSummary(name, rule.expression(), worst.verdict().guards().contains(rule), rule.informational(),
                asked.size(), count(asked, breached),
                count(asked, window -> named(window, name).judgement() == Judgement.INCONCLUSIVE),
                count(asked, baseline), count(asked, baseline.and(breached)), rule, worst.verdict().windowStart());
    }

    private static RuleResult named(JudgedWindow window, String name) {
        return rules(window.verdict()).filter(rule -> rule.name().equals(name)).findFirst().orElseThrow();
    }

    /** A breach is worse than none; of two alike, the one that uses more of the limit. */
    private static boolean worse(RuleResult rule, RuleResult than) {
        List<Judgement> ranks = List.of(Judgement.INCONCLUSIVE, Judgement.HOLDS, Judgement.BREACHED);
        int rank = Integer.compare(ranks.indexOf(rule.judgement()), ranks.indexOf(than.judgement()));
        return rank > 0 || (rank == 0 && used(rule) > used(than));
    }

    private static double used(RuleResult rule) {
        return Objects.requireNonNullElse(rule.utilisation(), Double.NEGATIVE_INFINITY);
    }
}
