// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.FleetChange.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Judges changes of a fleet under test, and describes them. */
final class FleetChanges {

    private FleetChanges() {}

    /**
     * Returns true when the change ends a test. A return does not: it undoes an ejection, which is reported as a change of
     * its own.
     */
    static boolean disturbs(FleetChange change) {
        return change.kind() != Kind.RETURNED;
    }

    /** Returns the changes that were not undone, oldest first. */
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
    static boolean explains(FleetChange change, boolean less, String sut) {
        return switch (change.kind()) {
            case EJECTED, REMOVED -> less == change.instance().equals(sut);
            case ADDED -> less;
            case REWEIGHTED, UNKNOWN -> true;
            case RETURNED -> false;
        };
    }

    /** Describes the instance and its state, in one phrase. */
    static String state(FleetChange change) {
        return change.instance() + (change.kind() == Kind.EJECTED
                ? " is out of the balance by its health check or its ejection"
                : " is not what it was when the run began") + detail(change);
    }

    /** Describes the instance, the change and its time, in one phrase. */
    static String describe(FleetChange change, String sut) {
        String what = switch (change.kind()) {
            case ADDED -> "was added";
            case REMOVED -> "was removed";
            case EJECTED -> "was ejected";
            case RETURNED -> "returned";
            case REWEIGHTED -> "has another weight";
            case UNKNOWN -> "changed in a way that is not known here";
        };
        return change.instance() + (change.instance().equals(sut) ? ", the instance under test, " : " ") + what + " at "
                + change.at() + detail(change);
    }

    private static String detail(FleetChange change) {
        return change.detail().isEmpty() ? "" : " (" + change.detail() + ")";
    }
}
