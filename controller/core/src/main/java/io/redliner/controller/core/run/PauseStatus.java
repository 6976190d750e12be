// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Traffic of a paused run: natural, on its way back, or not natural. All of the service's requests count, also those that the
 * run's redirect leaves out while it moves traffic.
 *
 * @param measured the SUT's share of all requests of the service in the newest window that measured it; absent without one
 * @param detail one sentence for people, with the instant at which a limit ends the pause
 */
public record PauseStatus(Traffic traffic, @Nullable Share measured, String detail) {

    /** State of the traffic, as far as it was measured. */
    public enum Traffic {
        /** The natural share is in force in every proxy, and the newest window measured it. */
        NATURAL,
        /** The natural share is requested, and no window has measured it yet. */
        GOING_BACK,
        /** The natural share should have arrived by now, and another one was measured. */
        NOT_NATURAL
    }

    /**
     * Returns the pause of a run; empty when it is not paused.
     *
     * @param newest the window that was judged last; absent when none was
     */
    public static Optional<PauseStatus> of(RunState state, @Nullable WindowVerdict newest) {
        return state instanceof RunState.Paused paused ? Optional.of(of(paused, newest)) : Optional.empty();
    }

    private static PauseStatus of(RunState.Paused state, @Nullable WindowVerdict newest) {
        RunFacts facts = state.facts();
        Traffic traffic = traffic(state, newest);
        Share measured = newest == null || traffic == Traffic.GOING_BACK
                ? null
                : SeenShare.of(newest, facts).measured();
        Share natural = facts.naturalShare().rounded();
        String message = measured == null
                ? "and traffic is going back to natural, " + natural + ": no window has measured that yet"
                : (traffic == Traffic.NATURAL ? "and traffic is natural: " : "and yet ") + measured.rounded()
                        + " of all of the service's requests arrive at " + facts.sut() + "; natural is " + natural;
        return new PauseStatus(traffic, measured, "The run is paused, " + message + ". If nobody resumes it, "
                + limit(facts) + " ends it at " + facts.turnBack() + ".");
    }

    private static String limit(RunFacts facts) {
        return facts.limit() == StopCode.FREEZE
                ? "a freeze"
                : "its longest duration of " + DurationText.write(facts.bounds().maxDuration());
    }

    private static Traffic traffic(RunState.Paused state, @Nullable WindowVerdict newest) {
        RunFacts facts = state.facts();
        LeaseHistory lease = state.course().lease();
        Instant since = lease.shares().getLast().since();
        boolean says = newest != null && newest.concerns(facts) && lease.share().equals(facts.naturalShare())
                && !newest.windowStart().isBefore(since) && SeenShare.of(newest, facts).requests() > 0;
        if (newest == null || !says) {
            return Traffic.GOING_BACK;
        }
        SeenShare seenShare = SeenShare.of(newest, facts);
        if (ShareDeviationCheck.within(seenShare.measured(), seenShare.requests(), facts.naturalShare(),
                seenShare.grain())) {
            return lease.shareAcknowledged() ? Traffic.NATURAL : Traffic.GOING_BACK;
        }
        return newest.windowStart().isBefore(since.plus(facts.times().acknowledgement()))
                ? Traffic.GOING_BACK
                : Traffic.NOT_NATURAL;
    }

    /**
     * The SUT's share of all requests of the service. The analyzer's share leaves out what the redirect leaves out.
     *
     * @param requests that it was measured on
     * @param grain to which the proxies round it, a ratio
     */
    private record SeenShare(Share measured, long requests, double grain) {

        static SeenShare of(WindowVerdict verdict, RunFacts facts) {
            if (!facts.partial()) {
                return new SeenShare(verdict.sut().share(), ShareDeviationCheck.requests(verdict),
                        facts.redirect().grain());
            }
            double sut = verdict.sut().requestsPerSecond();
            double all = sut + verdict.peers().requestsPerSecond();
            return new SeenShare(Share.ofRatio(all > 0 ? sut / all : 0),
                    Math.round(all * verdict.windowLength().toNanos() / 1e9), 0);
        }
    }
}
