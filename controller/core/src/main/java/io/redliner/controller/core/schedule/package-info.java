// SPDX-License-Identifier: Apache-2.0
/** When plans are due: cron, intervals, calendars, jitter, and what becomes of a late firing. Plain Java. */
@NullMarked
package io.redliner.controller.core.schedule;

import org.jspecify.annotations.NullMarked;
