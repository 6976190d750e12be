// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** The outcome of a run. A breached SLA is the normal way to {@link #CAPACITY_FOUND}, not a failure. */
public enum RunOutcome {

    /** The capacity is known with its interval. */
    CAPACITY_FOUND,
    /** The traffic or the share cap ended before the SLA did: the capacity is at least the estimate. */
    TRAFFIC_EXHAUSTED,
    /** The answer to the profile's question is yes: the SLA held, the service recovered, or its breaking point is known. */
    PASSED,
    /** The answer to the profile's question is no: the SLA did not hold, the service did not recover, or a metric drifts. */
    THRESHOLD_FAILED,
    /** There is no answer. */
    INCONCLUSIVE,
    /** Ended by a guard, by people, or by a restart of the controller. */
    ABORTED,
    /** A part that the run needs did not do its work. */
    FAILED
}
