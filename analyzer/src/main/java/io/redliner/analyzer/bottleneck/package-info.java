// SPDX-License-Identifier: Apache-2.0
/**
 * Finds the resource that limited a run, from the run's statistics. Each resource is rated by itself: how full it was, and how much
 * it followed the load. The findings list the most likely resource first.
 */
@NullMarked
package io.redliner.analyzer.bottleneck;

import org.jspecify.annotations.NullMarked;
