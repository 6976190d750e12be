// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;

/**
 * What one gauge of one instance was over some time.
 *
 * @param subject whose
 * @param name a name of the rule language, such as {@code cpu} or {@code threads.blocked}, perhaps made finer in brackets;
 *        or a custom one without the word {@code custom}
 * @param value in the base unit: seconds, bytes, bytes/s, 1/s or a ratio. One that is not a finite number is counted and
 *        dropped.
 * @param from the begin of the time that the value is of; for a level at an instant the same as {@code to}
 * @param to the end of that time
 * @param hold how long after its end it is still taken for true when nothing newer comes; 0 for what happened then and
 *        not later, such as a pause
 */
public record GaugeMeasurement(InstanceId subject, String name, double value, Instant from, Instant to, Duration hold) {

    public GaugeMeasurement {
        if (name.isEmpty() || from.isAfter(to) || hold.isNegative()) {
            throw new IllegalArgumentException("a measurement needs a name, a time that does not end before it begins"
                    + " and a hold of 0 or more: '" + name + "' from " + from + " to " + to + ", held for " + hold);
        }
    }
}
