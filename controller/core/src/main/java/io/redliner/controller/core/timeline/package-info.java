// SPDX-License-Identifier: Apache-2.0
/** A run of any length as a chart can show it: fewer points than windows, and no spike that is lost. */
@NullMarked
package io.redliner.controller.core.timeline;

import org.jspecify.annotations.NullMarked;
