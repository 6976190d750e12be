// SPDX-License-Identifier: Apache-2.0
/** Aggregates the windows of a run to the points of a chart, so that no spike is lost. */
@NullMarked
package io.redliner.controller.core.timeline;

import org.jspecify.annotations.NullMarked;
