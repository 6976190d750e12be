// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

/** Thrown for a record that cannot be decoded. Such a record is counted and skipped. */
public final class MalformedRecordException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedRecordException(String message) {
        super(message);
    }

    MalformedRecordException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
