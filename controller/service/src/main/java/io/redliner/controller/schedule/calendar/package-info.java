// SPDX-License-Identifier: Apache-2.0
/** Stored calendars: iCalendar texts (RFC 5545) whose busy events are times at which nothing starts. */
@NullMarked
package io.redliner.controller.schedule.calendar;

import org.jspecify.annotations.NullMarked;
