// SPDX-License-Identifier: Apache-2.0
/**
 * What a run says when it is told as a whole: as JSON, as a page, as test results, and window by window. It knows nothing
 * of where runs are kept: whoever has a {@link io.redliner.controller.report.RunReport} and its windows can write it.
 */
@NullMarked
package io.redliner.controller.report;

import org.jspecify.annotations.NullMarked;
