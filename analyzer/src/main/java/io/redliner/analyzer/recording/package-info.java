// SPDX-License-Identifier: Apache-2.0
/**
 * Everything that an analyzer is told comes in. It is written to a file as it came. The file goes out to a replay,
 * which decides the same again.
 */
@NullMarked
package io.redliner.analyzer.recording;

import org.jspecify.annotations.NullMarked;
