// SPDX-License-Identifier: Apache-2.0
/**
 * What metrics of services mean: points of series in, measurements under RedLiner's names out, the same ones whichever way
 * the points came. Plain Java; knows no format, transport or framework.
 */
@NullMarked
package io.redliner.collector.series;

import org.jspecify.annotations.NullMarked;
