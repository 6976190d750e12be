// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A step plan over a played service of 1000 requests/s, of which the SUT naturally gets 100, with windows of a second. Loads
 * are followed at once, within a largest raise of 2 and a share cap of 50 %.
 */
final class Track {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final StepPlan plan;

    final List<StepPlanDecider.Advice> said = new ArrayList<>();

    final List<Double> loads = new ArrayList<>();

    /** A guard; it holds unless a test says otherwise. */
    RuleResult unanswered = rule("more", false, Judgement.HOLDS, 0.1, "", null);

    /** The part of the requests that is slow, by load; 1 % may be. */
    DoubleUnaryOperator slow = load -> load > 300 ? 0.5 : 0.002;

    /** Factor of the latencies, by load. */
    DoubleUnaryOperator queueing = load -> 1;

    /** Factor of the latencies' 99th percentile. */
    double tail = 1;

    /** Median latency of the peers in seconds. */
    DoubleSupplier peers = () -> 0.01;

    /** Of the whole service. */
    double rate = 1000;

    /** Windows, from 1, that say nothing. */
    final Set<Integer> unknown = new HashSet<>();

    /** Windows, from 1, of which nobody hears. */
    final Set<Integer> lost = new HashSet<>();

    /** Windows, from 1, in which one request too many is slow. */
    final Set<Integer> noisy = new HashSet<>();

    /** Windows, from 1, in which the rate of the service is unknown. */
    final Set<Integer> rateless = new HashSet<>();

    double load = 100;

    double memory = 0.5;

    double memoryGrowth;

    @Nullable
    StepPlanProgress progress;

    private final Random random = new Random(1);

    private int window;

    private long missing;

    private double backlogUntil = -1;

    /** Seconds that it stays broken after an overload. */
    double hangover;

    Track(StepPlan plan) {
        this.plan = plan;
    }

    StepPlanProgress progress() {
        return Objects.requireNonNull(progress);
    }

    /** Until there is an answer, within so many windows. */
    RunEnd run(int most) {
        for (int count = 0; count < most; count++) {
            StepPlanDecider.Advice advised = next();
            if (advised != null && advised.end() != null) {
                return advised.end();
            }
        }
        throw new AssertionError("no answer after " + most + " windows: " + progress);
    }

    /** Null when nobody hears of the window. */
    private StepPlanDecider.@Nullable Advice next() {
        window++;
        double slowPart = slow.applyAsDouble(load);
        boolean overloaded = slowPart > 0.01;
        backlogUntil = overloaded ? window + hangover : backlogUntil;
        loads.add(load);
        if (lost.contains(window)) {
            missing++;
            return null;
        }
        StepPlanDecider.Advice advised = StepPlanDecider.advise(plan, progress,
                seen(overloaded || window >= backlogUntil ? slowPart : 0.3),
                RunTimeouts.DEFAULT.baseline());
        missing = 0;
        said.add(advised);
        progress = advised.progress();
        load = rateless.contains(window)
                ? load
                : Math.min(advised.load().load(), Math.min(2 * load, rate / 2));
        return advised;
    }

    private WindowSample seen(double part) {
        long requests = Math.round(load);
        double memoryNow = memory + window * memoryGrowth + 0.001 * random.nextGaussian();
        long exceeding = noisy.contains(window) ? requests / 100 + 1 : Math.round(part * requests);
        Judgement health = unknown.contains(window)
                ? Judgement.INCONCLUSIVE
                : exceeding > 0.01 * requests ? Judgement.BREACHED : Judgement.HOLDS;
        Instant end = START.plusSeconds(window);
        List<RuleResult> sla = List.of(
                rule("latency", false, health, part, "", new RuleCounts(requests, exceeding, 0.01)),
                rule("collapse", true, load > 400 ? Judgement.HOLDS : Judgement.BREACHED, 0.1, "", null),
                rule("endurance memory", true, Judgement.HOLDS, memoryNow, "", null));
        double waiting = queueing.applyAsDouble(load);
        TrafficSample sut = new TrafficSample(load, requests, 0, 0, (0.01 + 0.0005 * random.nextGaussian()) * waiting,
                (0.05 + 0.002 * random.nextGaussian()) * waiting * tail, Share.ofRatio(load / rate));
        double rateNow = rateless.contains(window) ? 0 : rate;
        return new WindowSample(verdict(end.minusSeconds(1), health, sla, List.of(unanswered), sut,
                new TrafficSample(rateNow - load, 1, 0, 0, peers.getAsDouble(), null, Share.NONE), rateNow),
                end.plusMillis(200), rateNow > 0 ? health : Judgement.INCONCLUSIVE, missing,
                new WindowSample.Loads(rateNow > 0 ? load : 0, rateNow, rateNow / 10, rateNow / 2, 2));
    }

    static RuleResult rule(String name, boolean informational, Judgement judgement, @Nullable Double value,
            String reason, @Nullable RuleCounts counts) {
        return new RuleResult(name, "x", judgement, value, null, null, "", informational, reason, counts);
    }

    static WindowVerdict verdict(Instant start, Judgement judgement, List<RuleResult> sla, List<RuleResult> guards,
            TrafficSample sut, double rate) {
        return verdict(start, judgement, sla, guards, sut, TrafficSample.NONE, rate);
    }

    private static WindowVerdict verdict(Instant start, Judgement judgement, List<RuleResult> sla,
            List<RuleResult> guards, TrafficSample sut, TrafficSample peers, double rate) {
        return new WindowVerdict("run", 7, 1, start, Duration.ofSeconds(1), judgement, sla, guards,
                new SearchAdvice(SearchAdvice.Action.NONE, 0, SearchAdvice.Phase.UNKNOWN, "", 0), sut,
                peers, rate, 0, null);
    }

    double figure(String name) {
        return ProfileFindings.of(plan, progress).figure(name).orElseThrow().value();
    }
}
