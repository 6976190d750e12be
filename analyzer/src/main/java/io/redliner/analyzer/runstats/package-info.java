// SPDX-License-Identifier: Apache-2.0
/**
 * Closed windows come in. What the SUT, its peers and their gauges did at each load is added up. Statistics of the run
 * go out to the bottleneck and the validity.
 */
@NullMarked
package io.redliner.analyzer.runstats;

import org.jspecify.annotations.NullMarked;
