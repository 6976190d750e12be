// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import io.redliner.controller.plan.Ppm;
import io.redliner.controller.plan.Redirect;
import io.redliner.controller.profile.StepPlan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What does not change while a run lives, but for the epoch, which a restarted controller raises.
 *
 * @param epoch fences: grows with each run of the service
 * @param sut the instance under test as host:port
 * @param naturalShare what the SUT receives when nobody tests
 * @param submittedAt the duration limit counts from here
 * @param redirect which traffic is moved, and how; what was stored before there were others has none, and means
 *            {@link Redirect#SPLIT}
 * @param profile what the run does beside the search or instead of it; absent: it follows the search
 */
public record RunFacts(String runId, String service, String sut, long epoch, Ppm naturalShare, RunBounds bounds,
        RunTimes times, Instant submittedAt, Redirect redirect, @Nullable StepPlan profile) {

    public RunFacts {
        redirect = redirect == null ? Redirect.SPLIT : redirect;
    }

    /** Of a run that splits all traffic. */
    public RunFacts(String runId, String service, String sut, long epoch, Ppm naturalShare, RunBounds bounds,
            RunTimes times, Instant submittedAt) {
        this(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, Redirect.SPLIT, null);
    }

    /** Of a run that follows the search. */
    public RunFacts(String runId, String service, String sut, long epoch, Ppm naturalShare, RunBounds bounds,
            RunTimes times, Instant submittedAt, Redirect redirect) {
        this(runId, service, sut, epoch, naturalShare, bounds, times, submittedAt, redirect, null);
    }

    RunFacts withEpoch(long newEpoch) {
        if (newEpoch <= epoch) {
            throw new IllegalArgumentException("epochs grow: " + newEpoch + " after " + epoch);
        }
        return new RunFacts(runId, service, sut, newEpoch, naturalShare, bounds, times, submittedAt, redirect,
                profile);
    }

    /** From here on traffic has to go back, so that even by expiry it is natural within the duration limit. */
    Instant turnBack() {
        return submittedAt.plus(bounds.maxDuration()).minus(times.leaseTtl());
    }
}
