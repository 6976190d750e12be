// SPDX-License-Identifier: Apache-2.0
/**
 * The capacity search: takes judged windows, one at a time, and says which load the SUT should get next. Plain Java;
 * knows nothing of where windows come from or who follows the advice.
 */
@NullMarked
package io.redliner.analyzer.search;

import org.jspecify.annotations.NullMarked;
