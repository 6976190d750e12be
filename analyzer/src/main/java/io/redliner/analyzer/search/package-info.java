// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluated windows come in. Where the capacity lies is believed by Bayes' rule, and the next load is chosen to learn
 * most without harm. Advice goes out, and at the end an estimate with its interval. Plain Java; knows only the rule
 * language.
 */
@NullMarked
package io.redliner.analyzer.search;

import org.jspecify.annotations.NullMarked;
