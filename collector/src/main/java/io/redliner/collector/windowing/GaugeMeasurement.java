// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;

/**
 * The value of one gauge of one instance over some time.
 *
 * @param instanceId the instance
 * @param name a name of the rule language, such as {@code cpu} or {@code threads.blocked}, perhaps made finer in brackets; or a
 * custom one without the word {@code custom}
 * @param value in the base unit: seconds, bytes, bytes/s, 1/s or a ratio. A value that is not a finite number is counted and
 * dropped.
 * @param from the begin of the time that the value covers; for a level at an instant the same as {@code to}
 * @param to the end of that time
 * @param hold how long after {@code to} the value stays valid when nothing newer comes; 0 for an event, such as a pause
 */
public record GaugeMeasurement(InstanceId instanceId, String name, double value, Instant from, Instant to,
        Duration hold) {

    public GaugeMeasurement {
        if (name.isEmpty() || from.isAfter(to) || hold.isNegative()) {
            throw new IllegalArgumentException("a measurement needs a name, a time that does not end before it begins"
                    + " and a hold of 0 or more: '" + name + "' from " + from + " to " + to + ", held for " + hold);
        }
    }
}
