// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** What a window says about a rule. */
public enum Judgement {

    HOLDS,

    BREACHED,

    /** No data, NaN or an error in the evaluation. Never to be treated as healthy. */
    INCONCLUSIVE;

    /** Of two conditions that must both hold: a breach wins over everything, then what is inconclusive. */
    public Judgement and(Judgement other) {
        if (this == BREACHED || other == BREACHED) {
            return BREACHED;
        }
        return this == INCONCLUSIVE ? this : other;
    }

    /** Of two conditions of which one must hold: what holds wins over everything, then what is inconclusive. */
    public Judgement or(Judgement other) {
        if (this == HOLDS || other == HOLDS) {
            return HOLDS;
        }
        return this == INCONCLUSIVE ? this : other;
    }
}
