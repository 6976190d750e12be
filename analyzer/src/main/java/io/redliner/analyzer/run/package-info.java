// SPDX-License-Identifier: Apache-2.0
/**
 * Closed windows of a service and its run come in. Rules, search, statistics, bottleneck and validity are asked in
 * their order. The result of a window goes out.
 */
@NullMarked
package io.redliner.analyzer.run;

import org.jspecify.annotations.NullMarked;
