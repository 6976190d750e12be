// SPDX-License-Identifier: Apache-2.0
/** How others look for a capacity. */
@NullMarked
package io.redliner.benchmarks.lab.baseline;

import org.jspecify.annotations.NullMarked;
