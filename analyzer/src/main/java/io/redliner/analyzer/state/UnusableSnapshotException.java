// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

/** A stored state that this version does not understand. Its run cannot go on. */
public final class UnusableSnapshotException extends Exception {

    private static final long serialVersionUID = 1L;

    UnusableSnapshotException(String message) {
        super(message);
    }

    UnusableSnapshotException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
