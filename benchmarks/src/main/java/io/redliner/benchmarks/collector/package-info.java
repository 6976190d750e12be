// SPDX-License-Identifier: Apache-2.0
/** What it takes the collector to measure. */
@NullMarked
package io.redliner.benchmarks.collector;

import org.jspecify.annotations.NullMarked;
