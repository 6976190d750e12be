// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Something happened to the service's fleet while a lease was in force.
 *
 * @param instance as host:port
 * @param at when the redirector noticed
 * @param detail who says so and what for; may be empty
 */
public record FleetChange(Kind kind, String instance, Instant at, String detail) {

    /** What happened to the instance. */
    public enum Kind {

        ADDED, REMOVED,
        /** A proxy sends it no requests any more. */
        EJECTED,
        /** From an ejection. */
        RETURNED,
        /** Its natural weight is another. */
        REWEIGHTED,
        /** The message did not say. */
        UNKNOWN
    }

    /** Whether the change ends a test. A return does not: it undoes an ejection, which is reported as a change of its own. */
    boolean disturbs() {
        return kind != Kind.RETURNED;
    }

    /** The changes that were not undone, oldest first. */
    static List<FleetChange> lasting(List<FleetChange> changes) {
        Map<String, FleetChange> lasting = new LinkedHashMap<>();
        for (FleetChange change : changes) {
            if (change.kind() == Kind.RETURNED) {
                lasting.remove(change.instance());
            } else {
                lasting.put(change.instance(), change);
            }
        }
        return List.copyOf(lasting.values());
    }

    /** Returns whether the SUT may get less than its natural share by this change alone, or more. */
    boolean explains(boolean less, String sut) {
        return switch (kind) {
            case EJECTED, REMOVED -> less == instance.equals(sut);
            case ADDED -> less;
            case REWEIGHTED, UNKNOWN -> true;
            case RETURNED -> false;
        };
    }

    /** Instance and state, in one phrase. */
    String state() {
        return instance + (kind == Kind.EJECTED
                ? " is out of the balance by its health check or its ejection"
                : " is not what it was when the run began") + (detail.isEmpty() ? "" : " (" + detail + ")");
    }

    /** Instance, what and when, in one phrase. */
    String described(String sut) {
        String what = switch (kind) {
            case ADDED -> "was added";
            case REMOVED -> "was removed";
            case EJECTED -> "was ejected";
            case RETURNED -> "returned";
            case REWEIGHTED -> "has another weight";
            case UNKNOWN -> "changed in a way that is not known here";
        };
        return instance + (instance.equals(sut) ? ", the instance under test, " : " ") + what + " at " + at
                + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
}
