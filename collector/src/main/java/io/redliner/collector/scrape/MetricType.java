// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.util.Locale;

/** The type of a family of samples. */
enum MetricType {

    COUNTER, GAUGE, HISTOGRAM, SUMMARY,
    /** No type was given: a counter when its name ends so, otherwise a gauge. */
    UNTYPED,
    /** Describes something, and measures nothing. */
    INFO,
    /** One sample for each state, 1 or 0. */
    STATESET,
    /** A histogram of the present values; of no use here. */
    GAUGEHISTOGRAM;

    /** Parses the type of the text formats; an unknown one is untyped. */
    static MetricType of(String type) {
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "counter" -> COUNTER;
            case "gauge" -> GAUGE;
            case "histogram" -> HISTOGRAM;
            case "summary" -> SUMMARY;
            case "info" -> INFO;
            case "stateset" -> STATESET;
            case "gaugehistogram" -> GAUGEHISTOGRAM;
            default -> UNTYPED;
        };
    }

    /** Returns whether a sample's name may have this suffix after the family's name. */
    boolean mayEndWith(String suffix) {
        return switch (this) {
            case COUNTER -> suffix.equals("_total") || suffix.equals("_created");
            case HISTOGRAM -> suffix.equals("_bucket") || suffix.equals("_sum") || suffix.equals("_count")
                    || suffix.equals("_created");
            case SUMMARY -> suffix.equals("_sum") || suffix.equals("_count") || suffix.equals("_created");
            case INFO -> suffix.equals("_info");
            case GAUGEHISTOGRAM -> suffix.equals("_bucket") || suffix.equals("_gsum") || suffix.equals("_gcount");
            case GAUGE, UNTYPED, STATESET -> false;
        };
    }
}
