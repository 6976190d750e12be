// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Whether a host is one of the addresses of a network namespace. Names are taken for the collector's own. */
final class LocalAddress {

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private final String host;

    LocalAddress(String host) {
        this.host = host;
    }

    /** @param tables the namespace's, such as {@code /proc/4711/net} */
    boolean isIn(Path tables) {
        if (!IPV4.matcher(host).matches() || host.startsWith("127.") || host.equals("0.0.0.0")) {
            return true;
        }
        try {
            return isIn(Files.readAllLines(tables.resolve("fib_trie")));
        } catch (IOException e) {
            return false;
        }
    }

    /** The kernel's tree of routes names each address of its own, and in the next line that it is local. */
    private boolean isIn(List<String> tree) {
        for (int line = 0; line + 1 < tree.size(); line++) {
            if (tree.get(line).strip().equals("|-- " + host) && tree.get(line + 1).endsWith("host LOCAL")) {
                return true;
            }
        }
        return false;
    }
}
