// SPDX-License-Identifier: Apache-2.0
/**
 * Collects the observations of one service in windows, from several collectors and in any order. A window is closed when all
 * expected sources have reported, or when its grace is over. A closed window lists the sources that are missing.
 */
@NullMarked
package io.redliner.analyzer.windowing;

import org.jspecify.annotations.NullMarked;
