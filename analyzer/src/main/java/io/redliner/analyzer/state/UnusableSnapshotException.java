// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

/** Thrown for a stored state that cannot be read. Its run cannot be resumed. */
public final class UnusableSnapshotException extends Exception {

    private static final long serialVersionUID = 1L;

    UnusableSnapshotException(String message) {
        super(message);
    }

    UnusableSnapshotException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
