// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

/** A record that cannot be understood. It is counted and skipped; nothing else is lost. */
public final class MalformedRecordException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedRecordException(String message) {
        super(message);
    }

    MalformedRecordException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
