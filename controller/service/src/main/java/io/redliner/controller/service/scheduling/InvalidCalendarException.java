// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.io.Serial;

/** Thrown for a text that is no calendar, or one that RedLiner cannot interpret with certainty. The message says why. */
public final class InvalidCalendarException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    InvalidCalendarException(String message) {
        super(message);
    }
}
