// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.run.RunState;

/** A run that this controller drives. Confined to the driver's thread. */
final class LiveRun {

    private final RunRules rules;

    private StoredRun stored;

    private boolean inDoubt;

    private boolean taken;

    LiveRun(StoredRun stored, RunRules rules) {
        this.stored = stored;
        this.rules = rules;
    }

    StoredRun stored() {
        return stored;
    }

    RunState state() {
        return stored.state();
    }

    String service() {
        return stored.state().facts().service();
    }

    RunRules rules() {
        return rules;
    }

    void advance(StoredRun next) {
        stored = next;
        taken = true;
        inDoubt = false;
    }

    /** Whether a decision of this controller has been stored. */
    boolean taken() {
        return taken;
    }

    /** Storing failed, and it is not known whether the transaction was committed all the same. */
    void doubt() {
        inDoubt = true;
    }

    boolean inDoubt() {
        return inDoubt;
    }
}
