// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.time.Duration;
import java.util.List;

/**
 * Selects the custom gauges, and bounds what is kept.
 *
 * @param include patterns of families: letters for themselves, {@code *} for any number of any
 * @param maxNames of custom gauges for each instance; as many known series at most are kept beside them
 * @param maxInstances how many instances at most
 * @param forgetAfter a series or an instance without a new point for this long is forgotten
 */
public record CustomGaugeSettings(List<String> include, int maxNames, int maxInstances, Duration forgetAfter) {

    public CustomGaugeSettings {
        include = List.copyOf(include);
        if (maxNames < 1 || maxNames > 100_000 || maxInstances < 1 || maxInstances > 100_000) {
            throw new IllegalArgumentException("1 to 100000 names, and as many instances; not " + maxNames + " and "
                    + maxInstances);
        }
        if (forgetAfter.toSeconds() < 1 || forgetAfter.toDays() > 1) {
            throw new IllegalArgumentException("series are forgotten after 1 second to 1 day; not " + forgetAfter);
        }
    }
}
