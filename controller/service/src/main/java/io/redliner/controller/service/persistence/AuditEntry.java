// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request that was to change something.
 *
 * @param actor who, and {@code kind} how that is known
 * @param resource path without the query
 * @param status of the answer; absent when it is not known what became of it
 * @param reason why, if it was said
 */
public record AuditEntry(long id, Instant at, String actor, String kind, String address, String method, String resource,
        @Nullable Integer status, @Nullable String service, @Nullable String run, @Nullable String reason) {}
