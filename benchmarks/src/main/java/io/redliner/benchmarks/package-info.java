// SPDX-License-Identifier: Apache-2.0
/** Measurements of RedLiner's own claims. */
@NullMarked
package io.redliner.benchmarks;

import org.jspecify.annotations.NullMarked;
