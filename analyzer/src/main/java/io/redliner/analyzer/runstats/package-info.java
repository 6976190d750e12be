// SPDX-License-Identifier: Apache-2.0
/**
 * Sums the traffic and the gauges of the SUT and its peers at each load of a run, window by window. Bottleneck analysis and
 * validity checks use these statistics.
 */
@NullMarked
package io.redliner.analyzer.runstats;

import org.jspecify.annotations.NullMarked;
