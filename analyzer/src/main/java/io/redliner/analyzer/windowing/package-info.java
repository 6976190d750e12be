// SPDX-License-Identifier: Apache-2.0
/**
 * Observations of one service come in, from several collectors and in any order. Each is put into the window of its
 * time, and a window is closed when all that are expected have reported, or its grace is over. Closed windows of all
 * instances go out, with what is missing in them.
 */
@NullMarked
package io.redliner.analyzer.windowing;

import org.jspecify.annotations.NullMarked;
