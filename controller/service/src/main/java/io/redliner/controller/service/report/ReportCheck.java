// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

/**
 * The check of one promise of a run.
 *
 * @param group {@code sla}, {@code guards}, {@code safety}, {@code run}, or one of a section
 * @param type of what went wrong, one word; empty when nothing did
 * @param message with value and threshold
 */
public record ReportCheck(String group, String name, Verdict verdict, String type, String message) {

    /** The outcome of a check. */
    public enum Verdict {

        PASSED, FAILED,
        /** The check could not be made. It never counts as passed. */
        ERROR,
        /** The check was not made, because it is informational or the run is not over. */
        SKIPPED
    }

    static ReportCheck passed(String group, String name, String message) {
        return new ReportCheck(group, name, Verdict.PASSED, "", message);
    }
}
