// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** The outcome of a rule in one window. */
public enum Judgement {

    HOLDS,

    BREACHED,

    /** No data, NaN or an error in the evaluation. Never to be treated as healthy. */
    INCONCLUSIVE;

    /** Combines two conditions that must both hold: {@link #BREACHED} wins, then {@link #INCONCLUSIVE}. */
    public Judgement and(Judgement other) {
        if (this == BREACHED || other == BREACHED) {
            return BREACHED;
        }
        return this == INCONCLUSIVE ? this : other;
    }

    /** Combines two conditions of which one must hold: {@link #HOLDS} wins, then {@link #INCONCLUSIVE}. */
    public Judgement or(Judgement other) {
        if (this == HOLDS || other == HOLDS) {
            return HOLDS;
        }
        return this == INCONCLUSIVE ? this : other;
    }
}
