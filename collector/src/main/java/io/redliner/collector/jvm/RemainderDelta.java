// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.util.OptionalDouble;

/**
 * The growth of a total without one of its parts, where the part is read a little later than the total. An event between both
 * readings is in the part already and not yet in the total. The next reading makes up for it, so a later rise to an earlier value
 * is no growth.
 */
final class RemainderDelta {

    private double highest = Double.NaN;

    /** Returns the growth of the remainder; empty at first, and when the total or the part is not known. */
    OptionalDouble growth(double total, double part) {
        double now = total - part;
        double before = highest;
        if (Double.isNaN(before) || Double.isNaN(now)) {
            highest = now;
            return OptionalDouble.empty();
        }
        highest = Math.max(before, now);
        return OptionalDouble.of(highest - before);
    }
}
