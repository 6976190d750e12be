// SPDX-License-Identifier: Apache-2.0
/** RedLiner's own analyzer at work on a simulated fleet, in virtual time. */
@NullMarked
package io.redliner.benchmarks.lab.analysis;

import org.jspecify.annotations.NullMarked;
