// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;

/**
 * A calendar as it is kept.
 *
 * @param content iCalendar text
 * @param hash SHA-256 of the text
 * @param folder whether it came from the plan folder
 */
public record StoredCalendar(String name, String content, String hash, boolean folder, Instant updatedAt) {}
