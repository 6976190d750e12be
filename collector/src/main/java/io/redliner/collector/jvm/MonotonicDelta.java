// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.util.OptionalDouble;

/** By how much a count that only grows has grown since it was last seen. */
final class MonotonicDelta {

    private double last = Double.NaN;

    /** Empty at first, and when the count began anew. */
    OptionalDouble to(double count) {
        double grown = count - last;
        last = count;
        return grown >= 0 ? OptionalDouble.of(grown) : OptionalDouble.empty();
    }
}
