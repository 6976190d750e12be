// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the process that listens on a TCP port, from the kernel's tables: {@code net/tcp} and {@code net/tcp6} say which
 * socket listens, and the open files of the processes whose it is. Processes of other users are seen by root only.
 */
public final class ListeningProcess {

    private static final String LISTEN = "0A";

    private static final String SPACED_LISTEN = " " + LISTEN + " ";

    private static final String SPACED_ESTABLISHED = " 01 ";

    private static final int LOCAL_ADDRESS = 1;

    private static final int STATE = 3;

    private static final int INODE = 9;

    private final Path proc;

    /** @param proc where the kernel's tables are, mostly {@code /proc} */
    public ListeningProcess(Path proc) {
        this.proc = proc;
    }

    /**
     * The process that listens on the port; empty when there is none, or none that may be looked at. Of several, such as
     * children that inherited the socket, the one with the lowest id.
     */
    public OptionalLong on(int port) {
        return on(port, proc.resolve("net"));
    }

    /** The same for the network namespace whose tables are in this folder, such as {@code /proc/4711/net}. */
    OptionalLong on(int port, Path tables) {
        Set<String> sockets = new HashSet<>();
        sockets(tables.resolve("tcp"), port, sockets);
        sockets(tables.resolve("tcp6"), port, sockets);
        if (sockets.isEmpty()) {
            return OptionalLong.empty();
        }
        long lowest = Long.MAX_VALUE;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (pid < lowest && holds(process, sockets)) {
                    lowest = pid;
                }
            }
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        return lowest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(lowest);
    }

    private static void sockets(Path table, int port, Set<String> sockets) {
        String suffix = String.format(":%04X", port);
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.ISO_8859_1)) {
            // The kernel tells of those that listen first, and then perhaps of 100 000 connections.
            for (String line = lines.readLine(); line != null
                    && !line.contains(SPACED_ESTABLISHED); line = lines.readLine()) {
                if (line.contains(suffix) && line.contains(SPACED_LISTEN)) {
                    String[] fields = line.trim().split("\\s+", -1);
                    if (fields.length > INODE && fields[STATE].equals(LISTEN)
                            && fields[LOCAL_ADDRESS].endsWith(suffix)) {
                        sockets.add("socket:[" + fields[INODE] + "]");
                    }
                }
            }
        } catch (IOException e) {
            // A machine without IPv6 has no such table.
            return;
        }
    }

    private static boolean holds(Path process, Set<String> sockets) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (sockets.contains(target(file))) {
                    return true;
                }
            }
        } catch (IOException e) {
            // It ended just now, or is another user's.
            return false;
        }
        return false;
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
