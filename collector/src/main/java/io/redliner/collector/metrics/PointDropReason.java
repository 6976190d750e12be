// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Locale;

/** Why a point was not used. */
public enum PointDropReason {
    /** The value is not a finite number, or is a count below 0. */
    NOT_FINITE,
    /** The value is below 0, where that cannot be: a service marks an unknown value so, as for {@code process_cpu_usage}. */
    NOT_KNOWN,
    /** Its time is that of the last point of its series: nothing was measured since, or it was sent twice. */
    UNCHANGED,
    /** Its time is older than that of the last point of its series. */
    REPEATED,
    /** The point is a level of more than five minutes ago. */
    TOO_OLD,
    /** Its name and labels are longer than 500 characters together. */
    NAME_TOO_LONG,
    /** Its name would be that of a measurement of rules or diagnoses, such as {@code cpu}. */
    RESERVED_NAME,
    /** The settings do not include it. */
    NOT_INCLUDED,
    /** The instance has as many names as it may have. */
    TOO_MANY_NAMES,
    /** There are as many instances as there may be. */
    TOO_MANY_INSTANCES;

    /** Returns whether the point should have been measured, so that somebody has to do something. */
    boolean isComplaint() {
        return this != NOT_KNOWN && this != NOT_INCLUDED && this != UNCHANGED;
    }

    /** Returns the label of the reason, such as {@code not_finite}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
