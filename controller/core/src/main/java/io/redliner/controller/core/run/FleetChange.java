// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change of the service's fleet while a lease was in force.
 *
 * @param instance as host:port
 * @param at when the redirector noticed
 * @param detail the source and the reason; may be empty
 */
public record FleetChange(Kind kind, String instance, Instant at, String detail) {

    /** The kind of change. */
    public enum Kind {

        ADDED, REMOVED,
        /** A proxy sends it no requests any more. */
        EJECTED,
        /** It returned from an ejection. */
        RETURNED,
        /** Its natural weight changed. */
        REWEIGHTED,
        /** The message did not say. */
        UNKNOWN
    }

    /**
     * Returns true when the change ends a test. A return does not: it undoes an ejection, which is reported as a change of
     * its own.
     */
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

    /** Returns true when this change alone may give the SUT less than its natural share, or more if {@code less} is false. */
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
