// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time a run spends at one load of the search.
 *
 * @param number of the step in the search, or in the step plan
 * @param targetRequestsPerSecond the load that was wanted
 * @param share the last share asked for in this step
 * @param startShare the share when the step began
 * @param windows verdicts in this step
 * @param breached how many of them broke the SLA
 * @param requestsPerSecond mean load that arrived at the SUT
 * @param utilisation the highest use of any rule's limit, 1 at the limit; absent when none was measured
 * @param rule the rule of that utilisation
 */
public record Step(int number, double targetRequestsPerSecond, Share share, Share startShare, Instant startedAt,
        Instant endedAt, long windows, long breached, double requestsPerSecond, @Nullable Double utilisation,
        @Nullable String rule) {

    static Step begin(SearchAdvice wanted, Share share, Instant now) {
        return new Step(wanted.step(), wanted.load(), share, share, now, now, 0, 0, 0, null, null);
    }

    /** Adds a window to the step. */
    Step with(WindowVerdict verdict, SearchAdvice wanted, Share asked, Instant now) {
        double mean = requestsPerSecond + (verdict.sut().requestsPerSecond() - requestsPerSecond) / (windows + 1);
        Double worst = utilisation;
        String worstRule = rule;
        for (RuleResult result : verdict.sla()) {
            Double used = result.utilisation();
            if (used != null && !result.informational() && (worst == null || used > worst)) {
                worst = used;
                worstRule = result.name();
            }
        }
        return new Step(number, wanted.load(), asked, startShare, startedAt, now,
                windows + 1, breached + (verdict.judgement() == Judgement.BREACHED ? 1 : 0), mean, worst, worstRule);
    }

    Step endedAt(Instant now) {
        return new Step(number, targetRequestsPerSecond, share, startShare, startedAt, now, windows, breached,
                requestsPerSecond, utilisation, rule);
    }
}
