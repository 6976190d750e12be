// SPDX-License-Identifier: Apache-2.0
/**
 * Statistics of a run come in. Each resource is looked at by itself, how full it was and how much it followed the load.
 * Findings with their evidence go out, most likely first.
 */
@NullMarked
package io.redliner.analyzer.bottleneck;

import org.jspecify.annotations.NullMarked;
