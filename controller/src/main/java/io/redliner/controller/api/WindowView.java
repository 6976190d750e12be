// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.jdbc.JudgedWindow;
import io.redliner.controller.run.Advice;
import io.redliner.controller.run.RuleResult;
import io.redliner.controller.run.WindowVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A judged window. Shares are ratios, times seconds, rates requests/s. */
record WindowView(long sequence, Instant startedAt, double lengthSeconds, String phase, String judgement,
        double askedShare, double measuredShare, double requestsPerSecond, double serviceRequestsPerSecond,
        long completed,
        long errors, long inFlight, @Nullable Double latencyP50Seconds, @Nullable Double latencyP99Seconds,
        double harmRequests, AdviceView advice, List<RuleView> rules) {

    /** What the search asked for. */
    record AdviceView(String action, double targetRequestsPerSecond, String phase, String reason, int step) {

        static AdviceView of(Advice advice) {
            return new AdviceView(advice.action().name(), advice.targetRequestsPerSecond(), advice.phase().name(),
                    advice.reason(), advice.step());
        }
    }

    /** What a rule said. */
    record RuleView(String name, String expression, boolean guard, boolean informational, String judgement,
            @Nullable Double value, @Nullable Double threshold, @Nullable Double utilisation, String unit,
            String reason) {

        static RuleView of(RuleResult rule, boolean guard) {
            return new RuleView(rule.name(), rule.expression(), guard, rule.informational(), rule.judgement().name(),
                    rule.value(), rule.threshold(), rule.utilisation(), rule.unit(), rule.reason());
        }
    }

    static WindowView of(JudgedWindow window) {
        return of(window.verdict(), window.phase(), window.asked().ratio());
    }

    static WindowView of(WindowVerdict verdict, String phase, double asked) {
        List<RuleView> rules = new ArrayList<>();
        verdict.sla().forEach(rule -> rules.add(RuleView.of(rule, false)));
        verdict.guards().forEach(rule -> rules.add(RuleView.of(rule, true)));
        return new WindowView(verdict.sequence(), verdict.windowStart(), verdict.windowLength().toMillis() / 1000.0,
                phase, verdict.judgement().name(), asked, verdict.sut().share().ratio(),
                verdict.sut().requestsPerSecond(), verdict.serviceRequestsPerSecond(), verdict.sut().completed(),
                verdict.sut().errors(), verdict.sut().inFlight(), verdict.sut().latencyP50(),
                verdict.sut().latencyP99(),
                verdict.harmRequests(), AdviceView.of(verdict.advice()), rules);
    }
}
