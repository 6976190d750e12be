// SPDX-License-Identifier: Apache-2.0
/** The true capacities of the simulated servers, and how they were estimated. */
@NullMarked
package io.redliner.benchmarks.lab.truth;

import org.jspecify.annotations.NullMarked;
