// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import java.util.Locale;

/** Why a point of a message is not even handed on. */
enum PointRejectionReason {
    /** Its instance is not known. */
    UNKNOWN_INSTANCE("of an unknown instance"),
    /** Its metric has no name. */
    NO_NAME("without a name"),
    /** More than any series has, or values within values. */
    ATTRIBUTES("with too many or too deep attributes"),
    /** Neither cumulative nor delta; or the delta of a sum that can fall, of which nobody knows what it was. */
    TEMPORALITY("whose temporality is of no use"),
    /** Buckets that contradict themselves. */
    BUCKETS("with impossible buckets"),
    /** A kind of metric, or of value, that did not exist when this was written. */
    UNKNOWN_KIND("of an unknown kind"),
    /** A time that no clock shows. */
    TIME("with an impossible time");

    private final String words;

    PointRejectionReason(String words) {
        this.words = words;
    }

    /** Such as {@code too_many_attributes}, as a label. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** After "points". */
    String words() {
        return words;
    }
}
