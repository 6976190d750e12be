// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.util.Locale;

/** What a family of samples is. */
enum MetricType {

    COUNTER, GAUGE, HISTOGRAM, SUMMARY,
    /** No type was given: a counter when its name ends so, otherwise a gauge. */
    UNTYPED,
    /** Says things, measures nothing. */
    INFO,
    /** One sample for each state, 1 or 0. */
    STATESET,
    /** A histogram of what is now; of no use here. */
    GAUGEHISTOGRAM;

    /** Of the text formats; what is not known is untyped. */
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

    /** What may come after the family's name in the name of a sample. */
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
