// SPDX-License-Identifier: Apache-2.0
/** The analysis of one run, window by window. Plain Java. */
@NullMarked
package io.redliner.analyzer.run;

import org.jspecify.annotations.NullMarked;
