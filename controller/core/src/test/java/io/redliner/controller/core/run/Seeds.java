// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;
import java.util.stream.LongStream;

/** The seeds of the simulations. */
final class Seeds {

    /** In the default suite. */
    static final int QUICK = 1_000;

    /** In the full suite. */
    static final int SOAK = 10_000;

    /** Seeds beyond the first ones that a promise was ever broken for; a new failure adds its seed here. */
    private static final List<Long> BROKE_A_PROMISE = List.of();

    private Seeds() {}

    /** The first {@code number} seeds, and all that a promise was ever broken for. */
    static long[] first(int number) {
        return LongStream.concat(LongStream.rangeClosed(1, number),
                BROKE_A_PROMISE.stream().mapToLong(Long::longValue).filter(seed -> seed > number)).toArray();
    }
}
