// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
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

    /** Beside the others; it holds unless a test says otherwise. */
    WindowSample.RuleSeen unanswered = new WindowSample.RuleSeen("more", false, true, Judgement.HOLDS, 0.1, null);

    /** The part of the requests that is slow, by load; 1 % may be. */
    DoubleUnaryOperator slow = load -> load > 300 ? 0.5 : 0.002;

    /** Factor of the latencies, by load. */
    DoubleUnaryOperator queueing = load -> 1;

    /** Of the whole service. */
    double rate = 1000;

    /** Windows, from 1, that say nothing. */
    final Set<Integer> unknown = new HashSet<>();

    /** Windows, from 1, of which nobody hears. */
    final Set<Integer> lost = new HashSet<>();

    /** Windows, from 1, in which one request too many is slow. */
    final Set<Integer> noisy = new HashSet<>();

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
    StepPlanResult run(int most) {
        for (int count = 0; count < most; count++) {
            StepPlanDecider.Advice advised = next();
            if (advised != null && advised.answer() != null) {
                return advised.answer();
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
        load = Math.min(advised.progress().target(), Math.min(2 * load, rate / 2));
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
        return new WindowSample(end.plusMillis(200), end.minusSeconds(1), Duration.ofSeconds(1), health, missing,
                new WindowSample.Traffic(load, load, rate, rate / 10, rate / 2, 2),
                List.of(unanswered, new WindowSample.RuleSeen("latency", false, false, health, part,
                        new RuleCounts(requests, exceeding,
                                0.01)),
                        new WindowSample.RuleSeen("collapse", true, false,
                                load > 400
                                        ? Judgement.HOLDS
                                        : Judgement.BREACHED,
                                0.1, null),
                        new WindowSample.RuleSeen("endurance memory", true, false, Judgement.HOLDS,
                                memoryNow, null)),
                levels(load));
    }

    private WindowSample.Levels levels(double rate) {
        double waiting = queueing.applyAsDouble(rate);
        return new WindowSample.Levels((0.01 + 0.0005 * random.nextGaussian()) * waiting,
                (0.05 + 0.002 * random.nextGaussian()) * waiting, null);
    }

    double figure(String name) {
        return ProfileFindings.of(plan, progress).figure(name).orElseThrow().value();
    }
}
