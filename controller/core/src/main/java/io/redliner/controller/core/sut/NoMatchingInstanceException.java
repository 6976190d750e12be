// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import java.io.Serial;

/** No known instance matches the plan's selection; the message has the remedy. */
public final class NoMatchingInstanceException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final boolean gone;

    NoMatchingInstanceException(boolean gone, String message) {
        super(message);
        this.gone = gone;
    }

    /** Returns true when the selected version is gone for good, so that waiting does not help. */
    public boolean gone() {
        return gone;
    }
}
