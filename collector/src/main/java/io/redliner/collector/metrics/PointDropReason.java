// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Locale;

/** Why a point was not used. */
public enum PointDropReason {
    /** Not a finite number, or a count below 0. */
    NOT_FINITE,
    /** Below 0, where that cannot be: the service says so that it does not know, as of {@code process_cpu_usage}. */
    NOT_KNOWN,
    /** Its time is that of the last point of its series: nothing was measured since, or it was sent twice. */
    UNCHANGED,
    /** Its time is older than that of the last point of its series. */
    REPEATED,
    /** A level of more than five minutes ago. */
    TOO_OLD,
    /** Its name and labels are longer than 500 characters together. */
    NAME_TOO_LONG,
    /** It would be named as a measurement of rules or diagnoses is, such as {@code cpu}, and is none. */
    RESERVED_NAME,
    /** The settings do not ask for it. */
    NOT_INCLUDED,
    /** The instance has as many names as it may have. */
    TOO_MANY_NAMES,
    /** There are as many instances as there may be. */
    TOO_MANY_INSTANCES;

    /** Whether something is not measured that should be; else nobody has to do anything. */
    boolean isComplaint() {
        return this != NOT_KNOWN && this != NOT_INCLUDED && this != UNCHANGED;
    }

    /** Such as {@code not_finite}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
