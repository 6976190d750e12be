// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.io.Serial;

/** A schedule names a calendar that is not stored, so it is unknown when its plan may start. */
public final class UnknownCalendarException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String calendar;

    UnknownCalendarException(String calendar) {
        super("there is no calendar " + calendar + " that can be read");
        this.calendar = calendar;
    }

    /** The calendar's name. */
    public String calendar() {
        return calendar;
    }
}
