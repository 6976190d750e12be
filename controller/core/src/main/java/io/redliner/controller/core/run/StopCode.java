// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.Locale;

/** The reasons why a run stops: a small fixed set, fit for metric labels. */
public enum StopCode {

    CAPACITY_FOUND, TRAFFIC_EXHAUSTED, SLA_HELD, SLA_BROKEN, SLA_UNCLEAR, BASELINE_BROKEN, RECOVERED, NOT_RECOVERED, BREAKPOINT_FOUND, DRIFTING, DRIFT_UNKNOWN, AS_BEFORE, MOVED, MOVE_UNKNOWN, RULE_UNANSWERED, WINDOWS_MISSING, SEARCH_GAVE_UP, INVALID, GUARD_BREACHED, TELEMETRY_LOST, SHARE_NOT_FOLLOWED, FLEET_CHANGED, HARM_BUDGET, MAX_DURATION, PREPARATION_TIMEOUT, LEASE_LOST, LEASE_NOT_ACKNOWLEDGED, REDIRECTOR_SILENT, NOT_DELIVERED, FENCED, ABORT_REQUESTED, CONTROLLER_STOPPED, CONTROLLER_LOST, KILL_SWITCH, FREEZE, NOT_APPROVED, PREFLIGHT, CLOCK_JUMPED, OWN_LIMIT;

    /** Returns the name in the API: {@code GuardBreached}. */
    public String wireName() {
        StringBuilder word = new StringBuilder();
        for (String part : name().split("_", -1)) {
            word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
        }
        return word.toString();
    }
}
