// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the processes that own listening sockets, by the open files of all processes. Only root can read those of other users. */
final class ListeningProcessLocator {

    private final Path proc;

    /** @param proc where the kernel's tables are, mostly {@code /proc} */
    ListeningProcessLocator(Path proc) {
        this.proc = proc;
    }

    /**
     * Returns the processes that listen on the port of an address, or of all addresses. Empty when there is none, or none that the
     * collector may read. There are several when children have inherited the socket, or when each has its own.
     *
     * @param address empty: whatever the address
     */
    SortedSet<Long> on(Optional<IpAddress> address, int port, NetworkTables tables) {
        Set<String> sockets = tables.listeners(address, port).stream().map(NetworkTables.Listener::file)
                .collect(Collectors.toSet());
        if (sockets.isEmpty()) {
            return Collections.emptySortedSet();
        }
        try {
            return ProcFiles.folder(proc, "[0-9]*").stream().filter(process -> holds(process, sockets))
                    .map(process -> Long.parseLong(process.getFileName().toString()))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            return Collections.emptySortedSet();
        }
    }

    private static boolean holds(Path process, Set<String> sockets) {
        try {
            return ProcFiles.folder(process.resolve("fd"), "*").stream()
                    .anyMatch(file -> sockets.contains(target(file)));
        } catch (IOException e) {
            // It ended just now, or is another user's.
            return false;
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            // Closed just now.
            return "";
        }
    }
}
