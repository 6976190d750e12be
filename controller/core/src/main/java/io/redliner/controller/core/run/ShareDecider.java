// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a run may raise its share, and how far. The search in the analyzer requests a load; this class turns it into a
 * share within the run's bounds.
 */
public final class ShareDecider {

    private ShareDecider() {}

    /**
     * Returns the share to request after this verdict. It is above the current one only when the verdict is healthy, fresh and
     * without a gap before it, and when the current share is in force everywhere. While the service's rate or the load is
     * unknown, the share stays; when less load is requested, it is at most natural.
     *
     * @param wanted the load that is requested after the verdict
     * @param before the progress before the verdict
     * @param reliable true when the verdict is fresh and not inconclusive
     * @param stepShare the share when the verdict's step began; absent at its first verdict
     */
    static Share after(WindowVerdict verdict, SearchAdvice wanted, boolean reliable, RunFacts facts, RunProgress before,
            @Nullable Share stepShare,
            Instant now) {
        Share current = before.share();
        if (!verdict.rateKnown() || !wanted.loadKnown()) {
            return wanted.down() ? current.min(facts.naturalShare()) : current;
        }
        boolean mayRaiseShare = reliable && permitsRaise(verdict, facts)
                && !wanted.down() && before.telemetry().lostBefore(verdict) == 0
                && before.shareInForce(facts, now);
        Share share = Share.ofRatio(wanted.load() / verdict.serviceRequestsPerSecond());
        return within(facts.bounds(), facts.naturalShare(), share, current, stepShare == null ? current : stepShare,
                mayRaiseShare);
    }

    /**
     * Returns the share to request, given the one that is wanted. A lower share is obeyed at once. A higher one is obeyed only
     * when a raise is permitted. It is limited by the largest share of the run, by the largest single raise, and by the largest
     * sum of raises within one step.
     *
     * @param naturalShare the share that the first raise from a share of 0 reaches
     * @param stepShare the share when the step began
     */
    public static Share within(RunBounds bounds, Share naturalShare, Share wanted, Share current, Share stepShare,
            boolean mayRaiseShare) {
        Share share = wanted.min(bounds.maxShare());
        if (!share.above(current)) {
            return share;
        }
        return mayRaiseShare ? share.min(highest(bounds, naturalShare, current, stepShare)) : current;
    }

    /**
     * Returns true when the verdict permits a raise. A plan that overloads also raises after a breach, but never without a
     * judgement.
     */
    private static boolean permitsRaise(WindowVerdict verdict, RunFacts facts) {
        boolean overloads = facts.profile() != null && facts.profile().overloads();
        return verdict.judgement() == Judgement.HOLDS || (overloads && verdict.judgement() == Judgement.BREACHED);
    }

    private static Share highest(RunBounds bounds, Share naturalShare, Share current, Share stepShare) {
        Share base = current.min(stepShare.ppm() == 0 ? current : stepShare);
        return base.ppm() == 0
                ? naturalShare
                : new Share((int) Math.min(Share.WHOLE_PPM, Math.floor(base.ppm() * bounds.maxRaise())));
    }
}
