// SPDX-License-Identifier: Apache-2.0
/**
 * Points of time series come in, whichever way they came. What each means, and how much a counter or histogram grew, is
 * decided by their names and their last point. Gauges under RedLiner's names go out. Plain Java; knows no format,
 * transport or framework.
 */
@NullMarked
package io.redliner.collector.metrics;

import org.jspecify.annotations.NullMarked;
