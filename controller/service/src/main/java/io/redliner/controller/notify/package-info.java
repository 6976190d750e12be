// SPDX-License-Identifier: Apache-2.0
/** Tells people and machines what became of runs: written with the decision, delivered at least once afterwards. */
@NullMarked
package io.redliner.controller.notify;

import org.jspecify.annotations.NullMarked;
