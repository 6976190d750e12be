// SPDX-License-Identifier: Apache-2.0
/**
 * Closed windows and the rules of a run come in. Each rule is judged by counts where it can be, else as a level, and
 * harm is what the SUT did beyond its peers. Evaluations go out to the search.
 */
@NullMarked
package io.redliner.analyzer.evaluation;

import org.jspecify.annotations.NullMarked;
