// SPDX-License-Identifier: Apache-2.0
/** RedLiner's own analyzer as a method of the lab, on a simulated fleet in virtual time. */
@NullMarked
package io.redliner.benchmarks.lab.redliner;

import org.jspecify.annotations.NullMarked;
