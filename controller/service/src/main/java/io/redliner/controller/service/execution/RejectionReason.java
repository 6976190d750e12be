// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

/** Why a run cannot be started; each has a stable problem type in the API. */
public enum RejectionReason {
    UNKNOWN_SERVICE, UNKNOWN_INSTANCE, NO_PEERS, SHARE_LIMIT_BELOW_NATURAL, NO_REDIRECTOR, NO_PROXY_CONNECTED, RECEIVER_NOT_CONFIGURED, OUT_OF_REACH, NO_CAPACITY_KNOWN, CONTROLLER_STOPPING, SECOND_PERSON_NEEDED, NO_MATCHING_INSTANCE, VERSION_GONE;

    /** Whether the plan's limits are the reason, so that nothing but another plan, or another fleet, helps. */
    public boolean ofLimits() {
        return this == SHARE_LIMIT_BELOW_NATURAL || this == OUT_OF_REACH;
    }
}
