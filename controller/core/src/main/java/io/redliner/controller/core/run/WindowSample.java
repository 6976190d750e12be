// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * A verdict as a step plan reads it.
 *
 * @param now the instant of the decision
 * @param judgement of the SLA; inconclusive also when the window came late or a guard has no answer
 * @param lost windows before it for which no verdict arrived
 */
public record WindowSample(WindowVerdict verdict, Instant now, Judgement judgement, long lost, Loads loads) {

    /** Part of a target that has to arrive for the target to be reached. */
    private static final double REACHED = 0.95;

    private static final double DEVIATIONS = 4;

    /**
     * Loads in requests/s.
     *
     * @param asked load that the requested share would bring to the SUT
     * @param service load of the whole service, smoothed; 0 while it is unknown
     * @param natural the SUT's load at its natural share
     * @param most the SUT's load at the share cap
     * @param maxRaise the largest factor of one step
     */
    public record Loads(double asked, double service, double natural, double most, double maxRaise) {

        /** Returns true when the service's rate is known, and with it all these loads. */
        boolean known() {
            return service > 0;
        }
    }

    /** Returns the load that arrived at the SUT, in requests/s. */
    double arrived() {
        return verdict.sut().requestsPerSecond();
    }

    /** Returns the results of SLA and guards, informational ones too. */
    Stream<RuleResult> rules() {
        return Stream.concat(verdict.sla().stream(), verdict.guards().stream());
    }

    Instant end() {
        return verdict.windowEnd();
    }

    boolean known() {
        return judgement != Judgement.INCONCLUSIVE;
    }

    /** Returns the reason why a rule has no answer, in brackets; empty when it has one or no reason is known. */
    String reason(String rule) {
        return rules().filter(one -> one.name().equals(rule) && !one.reason().isEmpty())
                .map(one -> " (" + one.reason() + ")").findFirst().orElse("");
    }

    double seconds() {
        return verdict.windowLength().toNanos() / 1e9;
    }

    /** Returns true when the SUT had this load, within the noise of the window's number of requests. */
    boolean at(double target) {
        double noise = DEVIATIONS * Math.sqrt(Math.max(target, 0) / seconds());
        return loads.known() && arrived() >= REACHED * target - noise && loads.asked() >= REACHED * target;
    }
}
