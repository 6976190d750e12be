// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** The phases of a run. */
public enum RunPhase {

    PENDING("Pending"), PREPARING("Preparing"), BASELINE("Baseline"), RAMPING("Ramping"), CONFIRMING(
            "Confirming"), PAUSED("Paused"), RESTORING("Restoring"), FINISHED("Finished");

    private final String wireName;

    RunPhase(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name in the API and in the database. */
    public String wireName() {
        return wireName;
    }
}
