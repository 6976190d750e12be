// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import java.util.OptionalLong;

/** Pressure stall information: for how long something had to wait for a resource. */
final class Pressure {

    private static final String TOTAL = " total=";

    private Pressure() {}

    /** For how many microseconds at least one thread waited, since the beginning. */
    static OptionalLong someMicros(String text) {
        for (String line : text.split("\n", -1)) {
            int total = line.indexOf(TOTAL);
            if (line.startsWith("some ") && total > 0) {
                return ProcFiles.number(line.substring(total + TOTAL.length()).strip());
            }
        }
        return OptionalLong.empty();
    }
}
