// SPDX-License-Identifier: Apache-2.0
/** Computes when plans are due, from cron, intervals, calendars and jitter, and decides about late firings. Plain Java. */
@NullMarked
package io.redliner.controller.core.schedule;

import org.jspecify.annotations.NullMarked;
