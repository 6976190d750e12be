// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Judgement;
import io.redliner.sla.Measured;
import io.redliner.sla.Measurements;
import io.redliner.sla.Rule;
import io.redliner.sla.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A search at work on a server in virtual time: windows of 1 s, and advice that takes a window to come into force. */
final class SimulatedRun {

    private static final double LONGEST = 1_200;

    /** One window of the run. */
    record Moment(double second, double share, double requestsPerSecond, double harm, Advice advice) {}

    private final CapacitySearch search;

    private final List<Rule> sla;

    private final double serviceLoad;

    private final double largestShare;

    private final double naturalShare;

    private final RandomGenerator random;

    private final SimulatedServer server;

    private final double phase;

    private int step = -1;

    private double stepShare;

    final List<Moment> moments = new ArrayList<>();

    SimulatedRun(SimulatedServer.Kind kind, CapacitySearch search, List<Rule> sla, double naturalLoad, int instances,
            double largestShare, long seed) {
        this.search = search;
        this.sla = sla;
        this.serviceLoad = naturalLoad * instances;
        this.naturalShare = 1.0 / instances;
        this.largestShare = largestShare;
        this.random = new SplittableRandom(seed);
        this.server = new SimulatedServer(kind, seed + 1);
        this.phase = 2 * Math.PI * random.nextDouble();
    }

    Advice run() {
        var state = search.begin();
        double inForce = naturalShare;
        double ordered = naturalShare;
        double smoothed = serviceLoad;
        server.window(serviceLoad * naturalShare, 10);
        for (double second = 0; second < LONGEST && !state.ended(); second++) {
            // 4 % up and down in ten minutes, and some noise: live traffic.
            double traffic = serviceLoad * (1 + 0.04 * Math.sin(phase + 2 * Math.PI * second / 600)
                    + 0.01 * random.nextGaussian());
            var sut = server.window(traffic * inForce, 1);
            double peers = traffic * (1 - inForce);
            smoothed += 0.4 * (sut.started() + peers - smoothed);
            var window = judged(sut, smoothed);
            state = search.advise(state, window);
            moments.add(new Moment(second, inForce, window.requestsPerSecond(), harm(window), state.advice()));
            inForce = ordered;
            ordered = share(state.advice(), window, ordered, smoothed);
        }
        return state.advice();
    }

    /** As the controller does: within the bounds, and up only after a window in which the SLA held. */
    private double share(Advice advice, JudgedWindow window, double current, double smoothed) {
        double wanted = Math.min(largestShare, advice.requestsPerSecond() / smoothed);
        if (wanted <= current) {
            return wanted;
        }
        if (advice.step() != step) {
            step = advice.step();
            stepShare = current;
        }
        return window.judgement() == Judgement.HOLDS ? Math.min(wanted, 2 * Math.min(current, stepShare)) : current;
    }

    double seconds() {
        return moments.size();
    }

    double largestShareOrdered() {
        return moments.stream().mapToDouble(Moment::share).max().orElse(0);
    }

    /** Windows in a row in which the load was meant to be above a limit. */
    int longestOverload(double limit) {
        int longest = 0;
        int current = 0;
        for (var moment : moments) {
            current = moment.share() * serviceLoad > limit ? current + 1 : 0;
            longest = Math.max(longest, current);
        }
        return longest;
    }

    /** Requests that broke the limit beyond the 1 % that may. */
    double harm() {
        return moments.stream().mapToDouble(Moment::harm).sum();
    }

    private static double harm(JudgedWindow window) {
        return window.outcomes().getFirst().comparisons().getFirst().proportion()
                .map(it -> Math.max(0, it.exceeding() - 0.01 * it.requests())).orElse(0.0);
    }

    private JudgedWindow judged(Measured sut, double smoothed) {
        return judged(server, sla, sut, smoothed * naturalShare, smoothed * largestShare);
    }

    /** The next window of a server. */
    static JudgedWindow window(SimulatedServer server, List<Rule> sla, double load, double natural, double reachable) {
        return judged(server, sla, server.window(load, 1), natural, reachable);
    }

    private static JudgedWindow judged(SimulatedServer server, List<Rule> sla, Measured sut, double natural,
            double reachable) {
        var measurements = new Measurements(Map.of(Scope.SUT, sut));
        var outcomes = sla.stream().map(rule -> rule.evaluate(measurements)).toList();
        var judgement = outcomes.stream().map(outcome -> outcome.judgement()).reduce(Judgement.HOLDS, Judgement::and);
        return new JudgedWindow(Duration.ofSeconds(1), judgement,
                judgement == Judgement.INCONCLUSIVE ? "nothing to see" : "", outcomes, measurements, sut.started(),
                server.inFlight(), natural, reachable);
    }
}
