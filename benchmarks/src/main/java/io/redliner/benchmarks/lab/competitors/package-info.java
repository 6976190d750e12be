// SPDX-License-Identifier: Apache-2.0
/** Other ways to search for a capacity: steps, ramps, AIMD, bisection, and the published code of others over a pipe. */
@NullMarked
package io.redliner.benchmarks.lab.competitors;

import org.jspecify.annotations.NullMarked;
