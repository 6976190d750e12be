// SPDX-License-Identifier: Apache-2.0
/** What is read off a bench: how long things took, and what processes took for it. */
@NullMarked
package io.redliner.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
