// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Histogram;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.Limits;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A service of three instances with a live run. It follows the advice as a controller does. The instance under test has a knee, so that
 * the search comes to confirm it. When a run has ended, the next one begins. A window of an instance has 100 requests at rest. For one
 * thread.
 */
final class SimulatedRun {

    static final long WINDOW_MILLIS = 1_000;

    static final int INSTANCES = 3;

    private static final double SERVICE_RATE = 300;

    private static final double ALLOWED_RATIO = 0.01;

    private static final double STEEPNESS = 30;

    private static final double MAX_SLOW_RATIO = 0.5;

    private static final double NATURAL_SHARE = 1.0 / INSTANCES;

    private static final double MAX_SHARE = 0.6;

    private static final double PPM = 1e6;

    private static final Set<AdviceAction> ENDS = EnumSet.of(AdviceAction.ADVICE_ACTION_DONE,
            AdviceAction.ADVICE_ACTION_EXHAUSTED, AdviceAction.ADVICE_ACTION_GIVE_UP);

    private final String service;

    private final EncodedLatencies latencies;

    private final SplittableRandom random;

    private final double capacity;

    private double share = NATURAL_SHARE;

    private long sequence;

    private long epoch = 1;

    private RunPhase phase = RunPhase.RUN_PHASE_BASELINE;

    SimulatedRun(int number, EncodedLatencies latencies) {
        this.service = "service-" + number;
        this.latencies = latencies;
        this.random = new SplittableRandom(number);
        this.capacity = 125 + 30 * random.nextDouble();
    }

    String service() {
        return service;
    }

    /** The controller's word. */
    RunSpec spec() {
        return RunSpec.newBuilder().setService(service).setRunId("run-" + epoch + "-of-" + service).setEpoch(epoch)
                .setSut(address(0))
                .setPhase(phase)
                .addSla(rule("latency", "latency.p99 <= duration('200ms')"))
                .addSla(rule("errors", "error_rate <= 0.01"))
                .addGuards(rule("peers", "peers.error_rate <= 0.05"))
                .setLimits(Limits.newBuilder().setMaxSharePpm((int) (PPM * MAX_SHARE)).setMaxRaise(2)
                        .setMaxDurationMs(900_000).setHarmBudget(0.02))
                .setWindowLengthMs(WINDOW_MILLIS).setNaturalSharePpm((int) (PPM * NATURAL_SHARE)).build();
    }

    /** Takes the analyzer's word; true when the controller has something new to say. */
    boolean hear(Verdict verdict) {
        if (verdict.getEpoch() != epoch) {
            return false;
        }
        var advice = verdict.getAdvice();
        double rate = verdict.getServiceRequestsPerSecond();
        double wanted = advice.getTargetRequestsPerSecond() / Math.max(1, rate);
        if (wanted > 0 && (wanted <= share || verdict.getJudgement() == Judgement.JUDGEMENT_HOLDS)) {
            share = Math.clamp(wanted, 0.05, MAX_SHARE);
        }
        if (ENDS.contains(advice.getAction())) {
            share = NATURAL_SHARE;
            phase = RunPhase.RUN_PHASE_BASELINE;
            epoch++;
            return true;
        }
        boolean follows = phase == RunPhase.RUN_PHASE_BASELINE
                && advice.getPhase() == SearchPhase.SEARCH_PHASE_RAMPING;
        if (follows) {
            phase = RunPhase.RUN_PHASE_RAMPING;
        }
        return follows;
    }

    /** What the collector saw of each instance in a window. */
    List<Observation> window(long startMillis) {
        return IntStream.range(0, INSTANCES).mapToObj(instance -> observation(instance, startMillis)).toList();
    }

    private Observation observation(int instance, long startMillis) {
        double rate = SERVICE_RATE * (instance == 0 ? share : (1 - share) / (INSTANCES - 1));
        long requests = Math.max(1, Math.round(rate + Math.sqrt(rate) * random.nextGaussian()));
        double ratio = instance == 0
                ? Math.min(MAX_SLOW_RATIO, ALLOWED_RATIO * Math.pow(rate / capacity, STEEPNESS))
                : 0;
        long slow = 0;
        for (long i = 0; i < requests; i++) {
            slow += random.nextDouble() < ratio ? 1 : 0;
        }
        Histogram latency = latencies.of(requests, slow);
        sequence++;
        return Observation.newBuilder().setService(service).setInstance(address(instance))
                .setCollector("collector-of-" + service).setSequence(sequence).setWindowStartMs(startMillis)
                .setWindowLengthMs(WINDOW_MILLIS).setStarted(requests).setCompleted(requests)
                .setInFlight((long) (latencies.seconds(requests, slow) + random.nextDouble())).setProxies(1)
                .setLatency(latency)
                .putAllGauges(Map.of("cpu", Math.min(1, rate / capacity * 0.9), "memory", 0.6, "gc.time",
                        0.01))
                .build();
    }

    private static Rule rule(String name, String expression) {
        return Rule.newBuilder().setName(name).setExpression(expression).build();
    }

    private static String address(int instance) {
        return "10.0.0." + (instance + 1) + ":8080";
    }
}
