// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.stepplan.StepPlan;
import io.redliner.controller.core.sut.SutSelection;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.plan.Redirect;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What does not change while a run lives, but for the epoch, which a restarted controller raises.
 *
 * @param epoch fences: grows with each run of the service
 * @param sut the instance under test as host:port
 * @param naturalShare what the SUT receives when nobody tests
 * @param submittedAt the duration limit counts from here, unless the run had to wait for an approval
 * @param redirect which traffic is moved, and how
 * @param clearance what bounds the run from outside its plan
 * @param approvedAt the duration limit counts from here; absent when no approval was needed, or none was given yet
 * @param profile what the run does beside the search or instead of it; absent: it follows the search
 * @param chosen why this SUT; absent when the plan names it
 * @param elsewhere where the route is its owner's, what the services file says of requests to clusters that are no part of the
 *            test, of all requests of the route; absent where the route is the redirector's
 */
public record RunFacts(String runId, String service, String sut, long epoch, Ppm naturalShare, RunBounds bounds,
        RunTimeouts times, Instant submittedAt, Redirect redirect, StartConditions clearance,
        @Nullable Instant approvedAt,
        @Nullable StepPlan profile, @Nullable SutSelection chosen, @Nullable Ppm elsewhere) {

    /** Of a run that splits all traffic. */
    public RunFacts(String runId, String service, String sut, long epoch, Ppm naturalShare, RunBounds bounds,
            RunTimeouts times, Instant submittedAt) {
        this(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, Redirect.SPLIT, StartConditions.NONE,
                null,
                null, null, null);
    }

    /** Of a run whose plan names the SUT. */
    public RunFacts(String runId, String service, String sut, long epoch, Ppm naturalShare, RunBounds bounds,
            RunTimeouts times, Instant submittedAt, Redirect redirect, StartConditions clearance,
            @Nullable Instant approvedAt,
            @Nullable StepPlan profile) {
        this(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, redirect, clearance, approvedAt,
                profile, null, null);
    }

    RunFacts withEpoch(long newEpoch) {
        if (newEpoch <= epoch) {
            throw new IllegalArgumentException("epochs grow: " + newEpoch + " after " + epoch);
        }
        return new RunFacts(runId, service, sut, newEpoch, naturalShare, bounds, times, submittedAt, redirect,
                clearance, approvedAt, profile, chosen, elsewhere);
    }

    /** After a second person's word; the fleet, and the freezes, may have changed since it was asked for. */
    RunFacts approved(RunEvent.Approved approved, Instant now) {
        return new RunFacts(runId, service, sut, epoch, approved.naturalShare(), bounds, times, submittedAt, redirect,
                new StartConditions(approved.until(), clearance.approval(), clearance.loadToReach()), now, profile,
                chosen,
                approved.elsewhere() == null ? elsewhere : approved.elsewhere());
    }

    RunFacts bounded(RunBounds other) {
        return new RunFacts(runId, service, sut, epoch, naturalShare, other, times, submittedAt, redirect, clearance,
                approvedAt, profile, chosen, elsewhere);
    }

    /** Whether nothing may happen before a second person agrees. */
    public boolean awaitsApproval() {
        return clearance.approval() != null && approvedAt == null;
    }

    /** Returns whether the lease leaves some of the service's requests out: they go to the peers while it moves traffic. */
    public boolean partial() {
        return redirect.attribute() != null || !redirect.cohorts().isEmpty();
    }

    /** When traffic has to be natural, whatever is known by then. */
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

    /** From here on traffic has to go back, so that even by expiry it is natural within the duration limit. */
    public Instant turnBack() {
        return end().minus(times.leaseTtl());
    }
}
