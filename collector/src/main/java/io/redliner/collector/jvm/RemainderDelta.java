// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.util.OptionalDouble;

/**
 * What of a total that only grows is not of a part that is read a little later. What happens between both readings is in
 * the part already and not yet in the total; it is made up for at the next reading, so it must not pass for a growth.
 */
final class RemainderDelta {

    private double highest = Double.NaN;

    /** By how much the remainder has grown; empty at first, and when one of both is not known. */
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
