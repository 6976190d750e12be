// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.contract.duration.Durations;
import java.time.Duration;

/** {@link Durations} of the services file. */
final class DurationParser {

    private DurationParser() {}

    /** Returns a duration above zero. */
    static Duration parse(String text) {
        Duration duration = parseOrZero(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is not above zero");
        }
        return duration;
    }

    static Duration parseOrZero(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' " + e.getMessage(), e);
        }
    }
}
