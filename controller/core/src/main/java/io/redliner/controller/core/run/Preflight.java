// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;
import io.redliner.sla.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that have to hold before any traffic is moved, from the verdicts at the natural share. An unknown
 * condition does not hold.
 *
 * @param peersSeen true when the newest verdict shows requests at the peers
 * @param judgement of the newest verdict; absent before the first, and when it was not reliable
 * @param doubt the reason why the newest verdict is not healthy; empty when it is
 * @param serviceRequestsPerSecond of the requests that the lease applies to; absent while unknown
 * @param traffic of all verdicts so far
 */
public record Preflight(boolean peersSeen, @Nullable Judgement judgement, String doubt,
        @Nullable Double serviceRequestsPerSecond, NaturalTraffic traffic) {

    static final Preflight NONE = new Preflight(false, null, "", null, NaturalTraffic.NONE);

    public Preflight {
        traffic = traffic == null ? NaturalTraffic.NONE : traffic;
    }

    /** Returns the preflight after a verdict. A late or inconclusive one clears the judgement and keeps the counts. */
    Preflight after(WindowVerdict verdict, boolean reliable) {
        return new Preflight(verdict.peers().completed() > 0, reliable ? verdict.judgement() : null,
                doubt(verdict, reliable), verdict.rateKnown() ? verdict.serviceRequestsPerSecond() : null,
                traffic.after(verdict));
    }

    /** Returns the conditions that do not hold yet, as text; empty when the run may go on. */
    List<String> missing(RunFacts facts) {
        List<String> missing = new ArrayList<>();
        if (!peersSeen) {
            missing.add("no verdict shows requests at the peers of " + facts.sut());
        }
        if (judgement != Judgement.HOLDS) {
            missing.add((judgement == Judgement.BREACHED
                    ? "the service is not healthy at its natural share: "
                    : "whether the service is healthy at its natural share is not known: ")
                    + (doubt.isEmpty() ? "not judged" : doubt));
        }
        missingTraffic(facts).ifPresent(missing::add);
        missing.addAll(traffic.missing(facts));
        return missing;
    }

    private Optional<String> missingTraffic(RunFacts facts) {
        Double wanted = facts.clearance().loadToReach();
        if (wanted == null) {
            return Optional.empty();
        }
        double share = facts.bounds().maxShare().ratio();
        double reach = serviceRequestsPerSecond == null ? 0 : serviceRequestsPerSecond * share;
        return reach >= wanted
                ? Optional.empty()
                : Optional.of("the traffic suffices for " + NumberText.brief(reach)
                        + " requests/s at the largest share of "
                        + facts.bounds().maxShare() + ", and the last known capacity is " + NumberText.brief(wanted));
    }

    private static String doubt(WindowVerdict verdict, boolean reliable) {
        if (!reliable) {
            return verdict.unknown() ? verdict.doubt() : "the window was judged too late";
        }
        return verdict.sla()
                .stream()
                .filter(rule -> !rule.informational() && rule.judgement() == Judgement.BREACHED)
                .findFirst()
                .map(rule -> "rule " + rule.describe())
                .orElse("");
    }
}
