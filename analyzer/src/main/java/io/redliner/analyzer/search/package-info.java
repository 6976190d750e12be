// SPDX-License-Identifier: Apache-2.0
/**
 * Searches for the capacity of an instance. Evaluated windows come in. The posterior of the capacity is computed by Bayes' rule,
 * and the next load is advised; at the end there is an estimate with its interval. Plain Java, which uses only the rule language.
 */
@NullMarked
package io.redliner.analyzer.search;

import org.jspecify.annotations.NullMarked;
