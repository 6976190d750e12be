// SPDX-License-Identifier: Apache-2.0
/** The capacities that the simulated servers really have. */
@NullMarked
package io.redliner.benchmarks.lab.truth;

import org.jspecify.annotations.NullMarked;
