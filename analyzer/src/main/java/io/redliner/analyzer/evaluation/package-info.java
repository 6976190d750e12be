// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluates the rules of a run on closed windows. Each rule is judged by counts of requests if possible, and as a level otherwise.
 * Requests at the SUT that broke the SLA are counted, in total and in excess of its peers.
 */
@NullMarked
package io.redliner.analyzer.evaluation;

import org.jspecify.annotations.NullMarked;
