// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import io.redliner.controller.run.RunFacts;
import java.time.Instant;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A run to be registered.
 *
 * @param plan canonical JSON
 * @param seenEpoch the highest epoch seen at redirectors; the run's is higher
 * @param facts the run's facts, given its epoch
 * @param idempotencyKey of the request; absent when it had none
 * @param bodyHash SHA-256 of the request's body
 */
public record NewRun(String id, String service, String planName, String planHash, String plan, long seenEpoch,
        Instant submittedAt, LongFunction<RunFacts> facts, @Nullable String idempotencyKey, String bodyHash) {}
