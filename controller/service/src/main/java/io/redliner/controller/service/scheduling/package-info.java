// SPDX-License-Identifier: Apache-2.0
/**
 * Starts runs by itself: by schedules, calendars, deployments, the plan folder and series. Plans and times come in; when a run
 * is due is decided by {@code core.schedule} and kept by db-scheduler. Runs go out through the same submission as those of
 * people, each with a key of its own.
 */
@NullMarked
package io.redliner.controller.service.scheduling;

import org.jspecify.annotations.NullMarked;
