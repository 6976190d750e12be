// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.core.timeline.LatencyRuleSelector;
import io.redliner.sla.Judgement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Some windows in a row. Rates and shares are means over them; latencies are those of the slowest window among them, as
 * a mean of percentiles would be none.
 *
 * @param asked share in force at the end
 * @param breached how many broke the SLA
 * @param peersP99 of the peers in the same window
 * @param slowestRate requests/s at the SUT in the slowest window
 * @param threshold in seconds, of the rule of the SLA about a time that matters most, at the end
 * @param ruleValue in seconds, what that rule measured at most: another value than the p99, when the rule is about another
 */
public record WindowBucket(Instant start, Instant end, long windows, int step, double asked, double measured,
        double rate,
        double serviceRate, long breached, long inconclusive, @Nullable Double p50, @Nullable Double p99,
        @Nullable Double peersP99, double slowestRate, boolean slowestBreached, @Nullable Double threshold,
        @Nullable Double ruleValue) {

    static WindowBucket of(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        boolean breached = verdict.judgement() == Judgement.BREACHED;
        return new WindowBucket(verdict.windowStart(), verdict.windowEnd(), 1, verdict.advice().step(),
                window.asked().ratio(),
                verdict.sut().share().ratio(), verdict.sut().requestsPerSecond(), verdict.serviceRequestsPerSecond(),
                breached ? 1 : 0, verdict.judgement() == Judgement.INCONCLUSIVE ? 1 : 0, verdict.sut().latencyP50(),
                verdict.sut().latencyP99(), verdict.peers().latencyP99(), verdict.sut().requestsPerSecond(), breached,
                LatencyRuleSelector.threshold(verdict), LatencyRuleSelector.value(verdict));
    }

    /** Returns true when the rule limits another value than the p99. */
    boolean limitsAnother() {
        return ruleValue != null && p99 != null && Math.abs(ruleValue - p99) > 1e-9;
    }

    WindowBucket and(WindowBucket next) {
        WindowBucket slowest = next.p99 != null && (p99 == null || next.p99 > p99) ? next : this;
        return new WindowBucket(start, next.end, windows + next.windows, next.step, next.asked,
                mean(measured, next.measured, next), mean(rate, next.rate, next),
                mean(serviceRate, next.serviceRate, next), breached + next.breached, inconclusive + next.inconclusive,
                slowest.p50, slowest.p99, slowest.peersP99, slowest.slowestRate, slowest.slowestBreached,
                next.threshold == null ? threshold : next.threshold, largest(ruleValue, next.ruleValue));
    }

    private static @Nullable Double largest(@Nullable Double one, @Nullable Double other) {
        return one == null ? other : other == null ? one : Double.valueOf(Math.max(one, other));
    }

    private double mean(double own, double other, WindowBucket next) {
        return (own * windows + other * next.windows) / (windows + next.windows);
    }
}
