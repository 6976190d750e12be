// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One judged window as a step plan sees it.
 *
 * @param now the instant of the decision
 * @param health of the SLA; unknown also when the window came late or a guard has no answer
 * @param lost windows before it for which no verdict arrived
 * @param traffic the loads in the window
 * @param rules of SLA and guards, informational ones too
 * @param levels at the SUT
 */
public record WindowSample(Instant now, Instant start, Duration length, Judgement health, long lost, Traffic traffic,
        List<RuleSeen> rules, Levels levels) {

    /** Part of a target that has to arrive for the target to be reached. */
    private static final double REACHED = 0.95;

    private static final double DEVIATIONS = 4;

    public WindowSample {
        rules = List.copyOf(rules);
    }

    /**
     * Loads in requests/s.
     *
     * @param arrived load that arrived at the SUT in the window
     * @param asked load that the requested share would bring to the SUT
     * @param service load of the whole service, smoothed; 0 while it is unknown
     * @param natural the SUT's load at its natural share
     * @param most the SUT's load at the share cap
     * @param maxRaise the largest factor of one step
     */
    public record Traffic(double arrived, double asked, double service, double natural, double most,
            double maxRaise) {

        /** Returns true when the service's rate is known, and with it all loads but the one that arrived. */
        boolean known() {
            return service > 0;
        }
    }

    /**
     * Percentiles of the latency in seconds, and CPU.
     *
     * @param latencyP50 absent when nothing completed
     * @param latencyP99 absent when nothing completed
     * @param cpu part of all CPU; absent when it was not measured
     */
    public record Levels(@Nullable Double latencyP50, @Nullable Double latencyP99, @Nullable Double cpu) {}

    /**
     * The result of a rule in the window.
     *
     * @param counts of the comparison that decided; absent when it is no proportion
     * @param reason why it has no answer, otherwise empty
     */
    public record RuleSeen(String name, boolean informational, boolean guard, Judgement health, @Nullable Double value,
            @Nullable RuleCounts counts, String reason) {

        /** A rule without a reason. */
        public RuleSeen(String name, boolean informational, boolean guard, Judgement health, @Nullable Double value,
                @Nullable RuleCounts counts) {
            this(name, informational, guard, health, value, counts, "");
        }
    }

    /** The end of the window. */
    public Instant end() {
        return start.plus(length);
    }

    boolean known() {
        return health != Judgement.INCONCLUSIVE;
    }

    /** The reason why a rule has no answer, in brackets; empty when it has one or no reason is known. */
    String reason(String rule) {
        return rules.stream().filter(one -> one.name().equals(rule) && !one.reason().isEmpty())
                .map(one -> " (" + one.reason() + ")").findFirst().orElse("");
    }

    double seconds() {
        return length.toNanos() / 1e9;
    }

    /** Returns true when the SUT had this load, within the noise of the window's number of requests. */
    boolean at(double target) {
        double noise = DEVIATIONS * Math.sqrt(Math.max(target, 0) / seconds());
        return traffic.known() && traffic.arrived() >= REACHED * target - noise && traffic.asked() >= REACHED * target;
    }
}
