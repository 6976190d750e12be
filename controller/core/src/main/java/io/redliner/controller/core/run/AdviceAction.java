// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** What the search asks for next. */
public enum AdviceAction {

    /** Keep the SUT at the target, correcting the share as traffic drifts. */
    HOLD,
    /** Move to the target. */
    GO,
    /** Move down to the target at once. */
    SHED,
    /** The capacity is known. */
    DONE,
    /** The capacity is at least the estimate. */
    EXHAUSTED,
    /** No answer can be had. */
    GIVE_UP,
    /** The message did not say; treated as contradictory telemetry. */
    NONE
}
