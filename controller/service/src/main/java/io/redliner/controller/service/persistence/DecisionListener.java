// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.RunRepository.DecisionRecord;

/**
 * Keeps something else together with a decision: it is called within the transaction that stores the decision, so both
 * are kept or neither. It is called for every decision of every run and has to be quick; what it throws undoes the
 * decision.
 */
@FunctionalInterface
public interface DecisionListener {

    /** A decision was written, and is not committed yet. */
    void stored(DecisionRecord record);
}
