// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.io.Serial;

/** A text is no calendar that can be relied on; says why. */
public final class InvalidCalendarException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    InvalidCalendarException(String message) {
        super(message);
    }
}
