// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Duration;

/**
 * Work that is done again and again, by one controller at a time. When that one dies, another goes on.
 *
 * @param name of the task in the database, the same in all controllers
 * @param interval between the end of one time and the beginning of the next
 * @param work may fail; it is done again after the interval
 */
public record RecurringJob(String name, Duration interval, Runnable work) {}
