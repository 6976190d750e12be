// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the process of one instance of this machine, in whatever network namespace it listens, also behind a port that Docker
 * publishes. A search is expensive: a process is remembered for a minute while it lives, and a missing one is searched every five
 * seconds. For one thread.
 */
public final class InstanceProcessLocator {

    private static final Duration KEPT = Duration.ofMinutes(1);

    private static final Duration MISSED = Duration.ofSeconds(5);

    private static final Duration CHECKED = Duration.ofSeconds(1);

    /** The index of the start time in {@code stat}, counted from the state. */
    private static final int START = 19;

    /** The name of Docker's process that forwards connections of a published port into a container. */
    private static final String FORWARDER = "docker-proxy";

    private final Path proc;

    private final InstanceSocket instance;

    private final boolean exact;

    private final ListeningProcessLocator listening;

    private final IntervalTimer aliveTimer = new IntervalTimer();

    private Path network;

    /** The address on which the process listens; null when it is not known. */
    private @Nullable InstanceSocket processSocket;

    private OptionalLong found = OptionalLong.empty();

    /** The processes that hold the listening socket. */
    private SortedSet<Long> holders = Collections.emptySortedSet();

    /** The tree in which the workers were searched; null before the first search. */
    private @Nullable ProcessTree searchedTree;

    /** The holders when the workers were searched. */
    private SortedSet<Long> searched = Collections.emptySortedSet();

    private SortedSet<Long> workers = Collections.emptySortedSet();

    private String started = "";

    private @Nullable Instant again;

    /**
     * Creates a locator.
     *
     * @param proc where the kernel's tables are, mostly {@code /proc}
     * @param instance its address
     * @param exact whether an address that no interface has belongs to no process here. Otherwise the address is assumed to be
     * translated on the way, and the process that listens on the port is taken.
     */
    public InstanceProcessLocator(Path proc, InstanceSocket instance, boolean exact) {
        this.proc = proc;
        this.instance = instance;
        this.exact = exact;
        listening = new ListeningProcessLocator(proc);
        network = proc.resolve("net");
    }

    /** Returns the process id; empty when no process listens there, or one that the collector may not read. */
    public OptionalLong pid(Instant now) {
        if (again == null || !now.isBefore(again) || now.isBefore(again.minus(KEPT)) || isGone(now)) {
            found = search();
            started = found.isPresent() ? start(found.getAsLong()) : "";
            network = found.isPresent() ? network(found.getAsLong()) : proc.resolve("net");
            again = now.plus(found.isPresent() ? KEPT : MISSED);
        }
        return found;
    }

    /**
     * Returns the ids of all processes that work for the instance: those that hold its listening socket, and their descendants, such
     * as the workers of a prefork server. New ones are found within ten seconds. Empty when {@link #pid} is.
     *
     * @param processTrees the same for all instances of the machine
     */
    public SortedSet<Long> processes(ProcessTree.Reader processTrees, Instant now) {
        if (pid(now).isEmpty()) {
            return Collections.emptySortedSet();
        }
        ProcessTree tree = processTrees.read(now, !searched.equals(holders));
        if (tree != searchedTree || !searched.equals(holders)) {
            searchedTree = tree;
            searched = holders;
            workers = tree.with(holders);
        }
        return workers;
    }

    /**
     * Returns the folder of the network tables in whose namespace the instance listens, such as {@code /proc/4711/net}; that of
     * the collector's own namespace when it has no other.
     */
    public Path network(Instant now) {
        pid(now);
        return network;
    }

    /** Returns the address that the instance listens on; empty when it is not known, so that any may be meant. */
    public Optional<IpAddress> address(Instant now) {
        pid(now);
        return Optional.ofNullable(processSocket).flatMap(InstanceSocket::address);
    }

    /** Returns the TCP port that the process listens on. It differs from the instance's where Docker publishes it under another. */
    public int port(Instant now) {
        pid(now);
        return (processSocket == null ? instance : processSocket).port();
    }

    private boolean isGone(Instant now) {
        return found.isPresent() && aliveTimer.due(now, CHECKED) && !started.equals(start(found.getAsLong()));
    }

    private Path network(long pid) {
        Path process = proc.resolve(Long.toString(pid));
        String namespace = NetworkTables.namespace(process);
        return namespace.isEmpty() || namespace.equals(NetworkTables.namespace(proc.resolve("self")))
                ? proc.resolve("net")
                : process.resolve("net");
    }

    /** Searches for the process, whatever is remembered; see {@link #pid(Instant)}. */
    public OptionalLong search() {
        processSocket = instance;
        NetworkTables own = NetworkTables.own(proc);
        if (instance.isIn(own)) {
            OptionalLong here = listening(instance.address(), instance.port(), own);
            return here.isPresent() ? forwarder(here.getAsLong()).map(this::inAnother).orElse(here) : here;
        }
        OptionalLong there = inAnother(instance);
        if (there.isPresent() || exact) {
            return there;
        }
        processSocket = null;
        return listening(Optional.empty(), instance.port(), own);
    }

    /** Returns the process that listens; of several, such as children that inherited the socket, the one with the lowest id. */
    private OptionalLong listening(Optional<IpAddress> address, int port, NetworkTables tables) {
        holders = listening.on(address, port, tables);
        return holders.isEmpty() ? OptionalLong.empty() : OptionalLong.of(holders.first());
    }

    private OptionalLong inAnother(InstanceSocket socket) {
        processSocket = socket;
        for (NetworkTables tables : NetworkTables.others(proc)) {
            if (socket.address().isPresent() && tables.addresses().contains(socket.address().get())) {
                return listening(socket.address(), socket.port(), tables);
            }
        }
        return OptionalLong.empty();
    }

    /** Returns the address to which a process forwards connections, if it is Docker's forwarder. */
    private Optional<InstanceSocket> forwarder(long pid) {
        Path process = proc.resolve(Long.toString(pid));
        if (!ProcFiles.text(process.resolve("comm")).map(String::strip).filter(FORWARDER::equals).isPresent()) {
            return Optional.empty();
        }
        List<String> arguments = List.of(ProcFiles.text(process.resolve("cmdline")).orElse("").split("\0", -1));
        int address = arguments.indexOf("-container-ip");
        int port = arguments.indexOf("-container-port");
        return address < 0 || port < 0
                ? Optional.empty()
                : InstanceSocket.of(arguments.get(address + 1) + ":" + arguments.get(port + 1));
    }

    /** Returns the start time of a process: process ids are used again, and the start time tells two processes apart. */
    private String start(long pid) {
        List<String> fields = ProcFiles.stat(ProcFiles.text(proc.resolve(pid + "/stat")).orElse(""));
        return fields.size() > START ? fields.get(START) : "gone";
    }

    /** Finds the processes that own listening sockets, by the open files of all processes. Only root can read those of other users. */
    static final class ListeningProcessLocator {

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
}
