// SPDX-License-Identifier: Apache-2.0
/**
 * Closed windows and the rules of a run come in. Each rule is judged by counts where it can be, else as a level, and
 * requests at the SUT that broke the SLA are counted, and those beyond its peers. Evaluations go out to the search.
 */
@NullMarked
package io.redliner.analyzer.evaluation;

import org.jspecify.annotations.NullMarked;
