// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.RunRepository.DecisionRecord;

/**
 * Stores further data together with a decision. It is called within the transaction that stores the decision, so both are stored or
 * neither. It is called for every decision of every run and has to be quick; an exception rolls the decision back.
 */
@FunctionalInterface
public interface DecisionListener {

    /** A decision was written, and is not committed yet. */
    void stored(DecisionRecord record);
}
