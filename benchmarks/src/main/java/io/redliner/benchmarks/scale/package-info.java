// SPDX-License-Identifier: Apache-2.0
/** How many observations and live runs one analyzer bears, how soon it speaks, and how much memory it takes. */
@NullMarked
package io.redliner.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
