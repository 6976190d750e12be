// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.util.Locale;

/**
 * The reasons why a run cannot be started, each with its HTTP status, a title, and whether the same request may succeed
 * later without a change of the plan.
 */
public enum RejectionReason {

    SERVICE_BUSY(409, true, "The service is being tested"), //
    IDEMPOTENCY_CONFLICT(409, false, "The idempotency key was used for something else"), //
    KILL_SWITCH_ENGAGED(409, true, "The kill switch is engaged"), //
    FROZEN(409, true, "The service is frozen"), //
    TOO_MANY_RUNS(409, true, "Too many runs are live"), //
    HARM_BUDGET_SPENT(409, true, "The service has no harm budget left in this month"), //
    SECOND_PERSON_NEEDED(409, false, "A second person has to approve the run"), //
    UNKNOWN_SERVICE(422, true, "There is no such service"), //
    UNKNOWN_INSTANCE(422, true, "The service has no such instance"), //
    NO_MATCHING_INSTANCE(422, true, "No instance is known to be what the plan selects"), //
    VERSION_GONE(422, false, "The version that the plan selects has no instance left"), //
    UNLIKE_HARDWARE(422, false, "The instances to compare are on unlike hardware, or it is known of one only"), //
    NO_PEERS(422, true, "The instance has no peers"), //
    SHARE_LIMIT_BELOW_NATURAL(422, false, "The share limit leaves nothing to test"), //
    OUT_OF_REACH(422, false, "The limits leave less than the plan needs"), //
    NO_CAPACITY_KNOWN(422, false, "No capacity of the instance is known"), //
    NO_APPROVER(422, true, "Nobody could approve the run"), //
    RECEIVER_NOT_CONFIGURED(422, true, "A receiver of notifications is not configured"), //
    NO_REDIRECTOR(503, true, "No redirector is there"), //
    NO_PROXY_CONNECTED(503, true, "No proxy is connected"), //
    CONTROLLER_STOPPING(503, true, "The controller is starting or stopping");

    private final int httpStatus;

    private final boolean retryHelps;

    private final String title;

    RejectionReason(int httpStatus, boolean retryHelps, String title) {
        this.httpStatus = httpStatus;
        this.retryHelps = retryHelps;
        this.title = title;
    }

    /** Returns the status of the HTTP response. */
    public int httpStatus() {
        return httpStatus;
    }

    /** Returns true when the same request may succeed later without a change of the plan. */
    public boolean retryHelps() {
        return retryHelps;
    }

    /** Returns the title for people, which may change. */
    public String title() {
        return title;
    }

    /** Returns the name in lower case with hyphens, which never changes. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns true when the plan's limits are the reason: only another plan or another fleet helps. */
    public boolean ofLimits() {
        return this == SHARE_LIMIT_BELOW_NATURAL || this == OUT_OF_REACH;
    }
}
