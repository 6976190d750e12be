// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.linux.ProcFiles;
import java.util.OptionalLong;

/** Files such as {@code net/snmp} and {@code net/netstat}: pairs of lines, names in the first and numbers in the second. */
final class KernelCounts {

    private KernelCounts() {}

    /** One number of one group, such as Tcp and RetransSegs; empty when it is not there. */
    static OptionalLong value(String text, String group, String name) {
        String[] lines = text.split("\n", -1);
        for (int line = 0; line + 1 < lines.length; line++) {
            if (lines[line].startsWith(group + ": ") && lines[line + 1].startsWith(group + ": ")) {
                String[] names = lines[line].split(" ", -1);
                String[] values = lines[line + 1].split(" ", -1);
                for (int field = 1; field < Math.min(names.length, values.length); field++) {
                    if (names[field].equals(name)) {
                        return ProcFiles.number(values[field]);
                    }
                }
                return OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }
}
