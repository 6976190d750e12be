// SPDX-License-Identifier: Apache-2.0
/**
 * Analyses the windows of a service and its run. For each closed window, the rules are evaluated, the search advances, and the
 * statistics, bottlenecks and validity checks follow. The result is one {@link io.redliner.analyzer.run.WindowResult}.
 */
@NullMarked
package io.redliner.analyzer.run;

import org.jspecify.annotations.NullMarked;
