// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

/** A stored state that this version does not understand. Its run cannot go on. */
final class UnreadableStateException extends Exception {

    private static final long serialVersionUID = 1L;

    UnreadableStateException(String message) {
        super(message);
    }

    UnreadableStateException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
