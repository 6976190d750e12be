// SPDX-License-Identifier: Apache-2.0
/** Puts together what all collectors saw of a service in one window. Plain Java. */
@NullMarked
package io.redliner.analyzer.window;

import org.jspecify.annotations.NullMarked;
