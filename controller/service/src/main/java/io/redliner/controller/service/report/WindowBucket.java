// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.WindowVerdict;
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
 * @param threshold in seconds, of the first rule of the SLA about a time, at the end
 */
public record WindowBucket(Instant start, Instant end, long windows, int step, double asked, double measured,
        double rate,
        double serviceRate, long breached, long inconclusive, @Nullable Double p50, @Nullable Double p99,
        @Nullable Double peersP99, double slowestRate, boolean slowestBreached, @Nullable Double threshold) {

    static WindowBucket of(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        boolean breached = verdict.judgement() == Judgement.BREACHED;
        return new WindowBucket(verdict.windowStart(), verdict.windowEnd(), 1, verdict.advice().step(),
                window.asked().ratio(),
                verdict.sut().share().ratio(), verdict.sut().requestsPerSecond(), verdict.serviceRequestsPerSecond(),
                breached ? 1 : 0, verdict.judgement() == Judgement.INCONCLUSIVE ? 1 : 0, verdict.sut().latencyP50(),
                verdict.sut().latencyP99(), verdict.peers().latencyP99(), verdict.sut().requestsPerSecond(), breached,
                threshold(verdict));
    }

    private static @Nullable Double threshold(WindowVerdict verdict) {
        for (RuleResult rule : verdict.sla()) {
            if (rule.unit().equals("seconds") && rule.threshold() != null) {
                return rule.threshold();
            }
        }
        return null;
    }

    WindowBucket and(WindowBucket next) {
        WindowBucket slowest = next.p99 != null && (p99 == null || next.p99 > p99) ? next : this;
        return new WindowBucket(start, next.end, windows + next.windows, next.step, next.asked,
                mean(measured, next.measured, next), mean(rate, next.rate, next),
                mean(serviceRate, next.serviceRate, next), breached + next.breached, inconclusive + next.inconclusive,
                slowest.p50, slowest.p99, slowest.peersP99, slowest.slowestRate, slowest.slowestBreached,
                next.threshold == null ? threshold : next.threshold);
    }

    private double mean(double own, double other, WindowBucket next) {
        return (own * windows + other * next.windows) / (windows + next.windows);
    }
}
