// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.time.Instant;
import java.util.Map;

/** Gauges of the collector's own process and machine, which are added to the windows of all instances. For one thread. */
@FunctionalInterface
public interface SelfGauges {

    /** Returns the values since the last call, by name. */
    Map<String, Double> sample(Instant now);
}
