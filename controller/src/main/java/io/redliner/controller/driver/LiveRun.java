// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.run.RunState;

/** A run that this controller drives. Confined to the driver's thread. */
final class LiveRun {

    private final RunRules rules;

    private StoredRun stored;

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
    }
}
