// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import java.util.HashMap;
import java.util.Map;

/**
 * The traffic of one network interface since it exists, from {@code proc/net/dev}.
 *
 * @param received bytes
 * @param sent bytes
 */
record InterfaceCounters(long received, long sent) {

    private static final int SENT = 8;

    /** Parses {@code proc/net/dev}, by the interface's name; lines that make no sense are left out. */
    static Map<String, InterfaceCounters> parse(String text) {
        Map<String, InterfaceCounters> all = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            int colon = line.lastIndexOf(':');
            if (colon > 0) {
                String[] fields = line.substring(colon + 1).strip().split(" +", -1);
                var received = ProcFiles.number(fields[0]);
                var sent = fields.length > SENT ? ProcFiles.number(fields[SENT]) : ProcFiles.number("");
                if (received.isPresent() && sent.isPresent()) {
                    all.put(line.substring(0, colon).strip(),
                            new InterfaceCounters(received.getAsLong(), sent.getAsLong()));
                }
            }
        }
        return all;
    }
}
