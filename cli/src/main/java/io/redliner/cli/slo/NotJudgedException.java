// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

/** Thrown when RedLiner cannot judge an objective. The message is the reason, and says what to write instead where there is something. */
final class NotJudgedException extends Exception {

    private static final long serialVersionUID = 1L;

    NotJudgedException(String reason) {
        super(reason);
    }
}
