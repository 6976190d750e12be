// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The kernel's tables of one network namespace, a folder such as {@code /proc/4711/net}: the addresses of its interfaces and its
 * listening sockets. A table that cannot be read counts as empty.
 */
public final class NetworkTables {

    private static final String LISTEN = "0A";

    private static final String SPACED_LISTEN = " " + LISTEN + " ";

    private static final String SPACED_ESTABLISHED = " 01 ";

    private static final int LOCAL_ADDRESS = 1;

    private static final int STATE = 3;

    private static final int USER = 7;

    private static final int INODE = 9;

    private static final int IPV6_DIGITS = 32;

    private final Path folder;

    /** @param folder such as {@code /proc/net} */
    public NetworkTables(Path folder) {
        this.folder = folder;
    }

    /** A listening socket: the target of the file descriptors of its process, and its user's id. */
    public record Listener(String file, String user) {}

    /** Returns the tables of the collector's own namespace. */
    public static NetworkTables own(Path proc) {
        return new NetworkTables(proc.resolve("net"));
    }

    /** Returns the tables of all other network namespaces with processes, each once. */
    public static List<NetworkTables> others(Path proc) {
        List<NetworkTables> others = new ArrayList<>();
        Set<String> names = new HashSet<>();
        names.add(namespace(proc.resolve("self")));
        // The namespace of another user's process, or of one that has just ended, cannot be read. It counts as the collector's own.
        names.add("");
        try {
            for (Path process : ProcFiles.folder(proc, "[0-9]*")) {
                if (names.add(namespace(process))) {
                    others.add(new NetworkTables(process.resolve("net")));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return others;
    }

    /** Returns the name of the network namespace of a process; empty when it may not be read. */
    static String namespace(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("ns/net")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the addresses of its interfaces. */
    public Set<IpAddress> addresses() {
        Set<IpAddress> addresses = new HashSet<>();
        ipv4(addresses);
        for (String line : lines("if_inet6")) {
            if (line.length() > IPV6_DIGITS) {
                IpAddress.of(line.substring(0, IPV6_DIGITS).replaceAll("(.{4})(?!$)", "$1:"))
                        .ifPresent(addresses::add);
            }
        }
        return addresses;
    }

    /** Adds the IPv4 addresses. The kernel's tree of routes names each address, and marks its own as local in the next line. */
    private void ipv4(Set<IpAddress> addresses) {
        String leaf = "|-- ";
        String before = "";
        for (String line : lines("fib_trie")) {
            int at = before.indexOf(leaf);
            if (at >= 0 && line.endsWith("host LOCAL")) {
                IpAddress.of(before.substring(at + leaf.length()).strip()).ifPresent(addresses::add);
            }
            before = line;
        }
    }

    private List<String> lines(String table) {
        try {
            return Files.readAllLines(folder.resolve(table), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Returns the sockets that listen on the port of an address, or of all addresses.
     *
     * @param address empty for any address
     */
    public Set<Listener> listeners(Optional<IpAddress> address, int port) {
        Set<Listener> listeners = new HashSet<>();
        listeners(folder.resolve("tcp"), address, port, listeners);
        listeners(folder.resolve("tcp6"), address, port, listeners);
        return listeners;
    }

    private static void listeners(Path table, Optional<IpAddress> address, int port, Set<Listener> listeners) {
        String suffix = String.format(":%04X", port);
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.ISO_8859_1)) {
            // The kernel lists the listening sockets first, and then perhaps 100 000 connections, which are not read.
            for (String line = lines.readLine(); line != null
                    && !line.contains(SPACED_ESTABLISHED); line = lines.readLine()) {
                if (line.contains(suffix) && line.contains(SPACED_LISTEN)) {
                    String[] fields = line.trim().split("\\s+", -1);
                    if (fields.length > INODE && fields[STATE].equals(LISTEN)
                            && fields[LOCAL_ADDRESS].endsWith(suffix) && serves(fields[LOCAL_ADDRESS], address)) {
                        listeners.add(new Listener("socket:[" + fields[INODE] + "]", fields[USER]));
                    }
                }
            }
        } catch (IOException e) {
            // A machine without IPv6 has no such table.
            return;
        }
    }

    private static boolean serves(String listens, Optional<IpAddress> address) {
        return address.map(host -> IpAddress.parse(listens.substring(0, listens.indexOf(':')))
                .map(there -> host.isServedBy(there.high(), there.low())).orElse(false)).orElse(true);
    }
}
