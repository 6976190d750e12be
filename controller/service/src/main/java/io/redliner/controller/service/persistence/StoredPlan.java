// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current version of a plan.
 *
 * @param content canonical JSON
 * @param source who changes it
 * @param file in the plan folder, when that is the source
 */
public record StoredPlan(String name, int version, String content, String hash, Instant createdAt,
        Instant updatedAt, PlanSource source, @Nullable String file) {}
