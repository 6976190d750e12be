// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the process that listens on a TCP port of an address, from the kernel's tables: {@code net/tcp} and {@code net/tcp6} say which
 * socket listens, and the open files of the processes whose it is. Processes of other users are seen by root only.
 */
final class ListeningProcess {

    private static final String LISTEN = "0A";

    private static final String SPACED_LISTEN = " " + LISTEN + " ";

    private static final String SPACED_ESTABLISHED = " 01 ";

    private static final int LOCAL_ADDRESS = 1;

    private static final int STATE = 3;

    private static final int INODE = 9;

    private final Path proc;

    /** @param proc where the kernel's tables are, mostly {@code /proc} */
    ListeningProcess(Path proc) {
        this.proc = proc;
    }

    /**
     * The process that listens on the port of an address, or of all addresses; empty when there is none, or none that may be
     * looked at. Of several, such as children that inherited the socket, the one with the lowest id.
     *
     * @param address empty: whatever the address
     * @param tables of the network namespace, such as {@code /proc/4711/net}
     */
    OptionalLong on(Optional<SocketAddress> address, int port, Path tables) {
        Set<String> sockets = new HashSet<>();
        sockets(tables.resolve("tcp"), address, port, sockets);
        sockets(tables.resolve("tcp6"), address, port, sockets);
        if (sockets.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return KernelFiles.folder(proc, "[0-9]*").stream().filter(process -> holds(process, sockets))
                    .mapToLong(process -> Long.parseLong(process.getFileName().toString())).min();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    private static void sockets(Path table, Optional<SocketAddress> address, int port,
            Set<String> sockets) {
        String suffix = String.format(":%04X", port);
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.ISO_8859_1)) {
            // The kernel tells of those that listen first, and then perhaps of 100 000 connections.
            for (String line = lines.readLine(); line != null
                    && !line.contains(SPACED_ESTABLISHED); line = lines.readLine()) {
                if (line.contains(suffix) && line.contains(SPACED_LISTEN)) {
                    String[] fields = line.trim().split("\\s+", -1);
                    if (fields.length > INODE && fields[STATE].equals(LISTEN)
                            && fields[LOCAL_ADDRESS].endsWith(suffix) && serves(fields[LOCAL_ADDRESS], address)) {
                        sockets.add("socket:[" + fields[INODE] + "]");
                    }
                }
            }
        } catch (IOException e) {
            // A machine without IPv6 has no such table.
            return;
        }
    }

    private static boolean serves(String listens, Optional<SocketAddress> address) {
        return address.map(host -> SocketAddress.parse(listens.substring(0, listens.indexOf(':')))
                .map(there -> host.isServedBy(there.high(), there.low())).orElse(false)).orElse(true);
    }

    private static boolean holds(Path process, Set<String> sockets) {
        try {
            return KernelFiles.folder(process.resolve("fd"), "*").stream()
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
