// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

/** How a run ended. A breached SLA is the normal way to {@link #CAPACITY_FOUND}, not a failure. */
public enum Outcome {

    /** The capacity is known with its interval. */
    CAPACITY_FOUND,
    /** The traffic or the share cap ended before the SLA did: the capacity is at least the estimate. */
    TRAFFIC_EXHAUSTED,
    /** No answer could be had. */
    INCONCLUSIVE,
    /** Ended by a guard, by people, or by a restart of the controller. */
    ABORTED,
    /** A part that the run needs did not do its work. */
    FAILED
}
