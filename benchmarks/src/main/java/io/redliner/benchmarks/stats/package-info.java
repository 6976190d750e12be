// SPDX-License-Identifier: Apache-2.0
/** Samples of delays, and their percentiles. */
@NullMarked
package io.redliner.benchmarks.stats;

import org.jspecify.annotations.NullMarked;
