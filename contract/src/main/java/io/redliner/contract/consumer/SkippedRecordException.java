// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.consumer;

import java.io.Serial;

/** A record that would end the same way however often it is read again. */
public final class SkippedRecordException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String result;

    /** @param result one word, for counters */
    public SkippedRecordException(String result, String message) {
        super(message);
        this.result = result;
    }

    /** Returns the reason as one word, for the counters' tag. */
    public String result() {
        return result;
    }
}
