// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.time.Instant;

/**
 * The current version of a plan.
 *
 * @param content canonical JSON
 */
public record StoredPlan(String name, int version, String content, String hash, Instant createdAt,
        Instant updatedAt) {}
