// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

/** Kinds of data that are removed after their retention time. */
public enum RetainedData {

    /** Idempotency keys of requests for runs that are over. */
    KEYS("keys"),

    /** Firings that are settled. */
    FIRINGS("firings"),

    /** Deployments that nothing waits for. */
    DEPLOYMENTS("deployments"),

    /** Entries of the audit log, with their outcomes. */
    AUDIT("audit"),

    /** Journal and windows of finished runs, and the requests for them. */
    RUN_DETAILS("run-details");

    private final String word;

    RetainedData(String word) {
        this.word = word;
    }

    /** Returns the name in metrics. */
    public String wireName() {
        return word;
    }
}
