// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.util.OptionalDouble;

/** The growth of a count since it was read last. */
final class MonotonicDelta {

    private double last = Double.NaN;

    /** Returns the growth; empty at first, and when the count began anew. */
    OptionalDouble to(double count) {
        double grown = count - last;
        last = count;
        return grown >= 0 ? OptionalDouble.of(grown) : OptionalDouble.empty();
    }
}
