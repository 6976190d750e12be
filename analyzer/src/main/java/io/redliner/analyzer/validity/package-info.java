// SPDX-License-Identifier: Apache-2.0
/**
 * Statistics of a run come in. Each check compares what was measured with what must hold, such as Little's law. Results
 * go out: what holds, what is doubtful, what was not measured.
 */
@NullMarked
package io.redliner.analyzer.validity;

import org.jspecify.annotations.NullMarked;
