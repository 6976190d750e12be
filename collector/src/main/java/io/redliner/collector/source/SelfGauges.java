// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.time.Instant;
import java.util.Map;

/** Gauges of the collector itself, which are in the windows of all instances. For one thread. */
@FunctionalInterface
public interface SelfGauges {

    /** By name, what was measured since the last call. */
    Map<String, Double> look(Instant now);
}
