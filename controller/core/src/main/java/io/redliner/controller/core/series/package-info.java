// SPDX-License-Identifier: Apache-2.0
/**
 * What series of runs come to: which run is next, what its outcome is worth, and what scalability and regression tell of all of them.
 * Events of runs come in; the next run, or the end, goes out.
 */
@NullMarked
package io.redliner.controller.core.series;

import org.jspecify.annotations.NullMarked;
