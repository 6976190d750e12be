// SPDX-License-Identifier: Apache-2.0
/**
 * Series of runs: which run is next, what each run measured, and the result of a scalability or regression series. Events
 * of runs come in; the next run, or the end, goes out.
 */
@NullMarked
package io.redliner.controller.core.series;

import org.jspecify.annotations.NullMarked;
