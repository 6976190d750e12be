// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import java.time.Instant;

/**
 * One decision, with everything that it was made from but the state before it, which is the one of the entry before.
 *
 * @param decidedAt the instant that was given to the decision
 */
public record JournalEntry(long sequence, Instant decidedAt, RunEvent event, RunDecision decision) {}
