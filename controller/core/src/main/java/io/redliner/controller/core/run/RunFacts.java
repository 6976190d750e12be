// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The facts that stay the same while a run lives, except for the epoch, which a takeover raises.
 *
 * @param epoch fencing token, which grows with each run of the service
 * @param sut the instance under test as host:port
 * @param naturalShare the SUT's share of the traffic when no run is live
 * @param submittedAt the duration limit counts from here, unless the run had to wait for an approval
 * @param redirect which traffic is moved, and how
 * @param clearance the conditions from outside the plan that bound the run
 * @param approvedAt the duration limit counts from here; absent when no approval was needed, or none was given yet
 * @param profile the run's step plan, which adds to the search or replaces it; absent: the run follows the search
 * @param chosen the selection of the SUT; absent when the plan names it
 * @param elsewhere where the route is its owner's: the part of its requests that goes to clusters outside of the test, as
 *            the services file says; absent where the route is the redirector's
 */
public record RunFacts(String runId, String service, String sut, long epoch, Share naturalShare, RunBounds bounds,
        RunTimeouts times, Instant submittedAt, Redirect redirect, StartConditions clearance,
        @Nullable Instant approvedAt,
        @Nullable StepPlan profile, @Nullable SutSelection chosen, @Nullable Share elsewhere) {

    /** The facts of a run that splits all traffic. */
    public RunFacts(String runId, String service, String sut, long epoch, Share naturalShare, RunBounds bounds,
            RunTimeouts times, Instant submittedAt) {
        this(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, Redirect.SPLIT, StartConditions.NONE,
                null, null, null, null);
    }

    /** The facts of a run whose plan names the SUT. */
    public RunFacts(String runId, String service, String sut, long epoch, Share naturalShare, RunBounds bounds,
            RunTimeouts times, Instant submittedAt, Redirect redirect, StartConditions clearance,
            @Nullable Instant approvedAt,
            @Nullable StepPlan profile) {
        this(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, redirect, clearance, approvedAt,
                profile, null, null);
    }

    /** Returns the facts with a higher epoch. */
    public RunFacts withEpoch(long newEpoch) {
        if (newEpoch <= epoch) {
            throw new IllegalArgumentException("epochs grow: " + newEpoch + " after " + epoch);
        }
        return new RunFacts(runId, service, sut, newEpoch, naturalShare, bounds, times, submittedAt, redirect,
                clearance, approvedAt, profile, chosen, elsewhere);
    }

    /** Returns the facts after an approval. The fleet, the freezes and what is known may have changed since the submission. */
    RunFacts approved(RunEvent.Approved approved, Instant now) {
        return new RunFacts(runId, service, sut, epoch, approved.naturalShare(), bounds, times, submittedAt, redirect,
                clearance.approved(approved), now, approved.profile() == null ? profile : approved.profile(), chosen,
                approved.elsewhere() == null ? elsewhere : approved.elsewhere());
    }

    RunFacts bounded(RunBounds other) {
        return new RunFacts(runId, service, sut, epoch, naturalShare, other, times, submittedAt, redirect, clearance,
                approvedAt, profile, chosen, elsewhere);
    }

    RunFacts under(StartConditions conditions) {
        return new RunFacts(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, redirect, conditions,
                approvedAt, profile, chosen, elsewhere);
    }

    /** Returns true when the run waits for a second person's approval. */
    public boolean awaitsApproval() {
        return clearance.approval() != null && approvedAt == null;
    }

    /** Returns true when the lease leaves some of the service's requests out: they go to the peers while it moves traffic. */
    public boolean partial() {
        return redirect.partial();
    }

    /** The instant at which traffic has to be natural, with or without an answer. */
    Instant end() {
        Instant start = approvedAt == null ? submittedAt : approvedAt;
        Instant longest = start.plus(bounds.maxDuration());
        Instant until = clearance.until();
        return until != null && until.isBefore(longest) ? until : longest;
    }

    /** The limit that ends the run at {@link #turnBack}: a freeze or the longest duration. */
    public StopCode limit() {
        Instant until = clearance.until();
        return until != null && until.equals(end()) ? StopCode.FREEZE : StopCode.MAX_DURATION;
    }

    /**
     * The instant at which the run ends at the latest, so that its traffic is natural in time even if only the lease's
     * expiry restores it.
     */
    public Instant turnBack() {
        return end().minus(times.leaseTtl());
    }
}
