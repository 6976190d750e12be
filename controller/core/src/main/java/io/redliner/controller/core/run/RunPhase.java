// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** Where a run is in its life. */
public enum RunPhase {

    PENDING("Pending"), PREPARING("Preparing"), BASELINE("Baseline"), RAMPING("Ramping"), CONFIRMING(
            "Confirming"), PAUSED("Paused"), RESTORING("Restoring"), FINISHED("Finished");

    private final String word;

    RunPhase(String word) {
        this.word = word;
    }

    /** As it is written in the API and in the database. */
    public String wireName() {
        return word;
    }
}
