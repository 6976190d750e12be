// SPDX-License-Identifier: Apache-2.0
/**
 * Checks whether the result of a run can be trusted. Each check compares the statistics of the run with a law or a limit, such as
 * Little's law. Its result is ok, doubtful, invalid or unknown.
 */
@NullMarked
package io.redliner.analyzer.validity;

import org.jspecify.annotations.NullMarked;
