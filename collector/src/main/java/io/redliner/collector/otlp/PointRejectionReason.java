// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import java.util.Locale;

/** Why a point of a message is not handed on. */
enum PointRejectionReason {
    /** Its instance is not known. */
    UNKNOWN_INSTANCE("of an unknown instance"),
    /** Its metric has no name. */
    NO_NAME("without a name"),
    /** There are more than any series has, or values within values. */
    ATTRIBUTES("with too many or too deep attributes"),
    /** It is neither cumulative nor delta; or it is the delta of a sum that can fall, whose level is unknown. */
    TEMPORALITY("whose temporality is of no use"),
    /** Its buckets contradict themselves. */
    BUCKETS("with impossible buckets"),
    /** The kind of metric, or of value, did not exist when this was written. */
    UNKNOWN_KIND("of an unknown kind"),
    /** The time is one that no clock shows. */
    TIME("with an impossible time");

    private final String words;

    PointRejectionReason(String words) {
        this.words = words;
    }

    /** Returns the reason as a label, such as {@code unknown_instance}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the words that follow "points" in a message. */
    String words() {
        return words;
    }
}
