// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The process of one instance of this machine, in whatever network namespace it listens. Finding it is dear, so it is
 * remembered for a minute while it lives, and looked for every five seconds while it is not there. For one thread.
 */
public final class InstanceProcess {

    private static final Duration KEPT = Duration.ofMinutes(1);

    private static final Duration MISSED = Duration.ofSeconds(5);

    private static final Duration CHECKED = Duration.ofSeconds(1);

    /** Where the time of the start is, counted from the state. */
    private static final int START = 19;

    private final Path proc;

    private final LocalAddress address;

    private final Optional<SocketAddress> socket;

    private final int port;

    private final ListeningProcess listening;

    private final Beat alive = new Beat();

    private Path network;

    private Optional<SocketAddress> listens = Optional.empty();

    private OptionalLong found = OptionalLong.empty();

    private String started = "";

    private @Nullable Instant again;

    /**
     * @param proc where the kernel's tables are, mostly {@code /proc}
     * @param instance its address as host:port, IPv6 in brackets
     * @param port the TCP port in it
     */
    public InstanceProcess(Path proc, String instance, int port) {
        this.proc = proc;
        this.port = port;
        String host = instance.substring(0, Math.max(0, instance.lastIndexOf(':')));
        address = new LocalAddress(host);
        socket = SocketAddress.of(host);
        listening = new ListeningProcess(proc);
        network = proc.resolve("net");
    }

    /** Its id; empty when nobody listens there, or somebody who may not be looked at. */
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
     * Where the tables of the network are that it listens in, such as {@code /proc/4711/net}; those of the collector's own
     * when it has no other.
     */
    public Path network(Instant now) {
        pid(now);
        return network;
    }

    /** The address that it listens on, or on all; empty when that is not known, so that any may be meant. */
    public Optional<SocketAddress> address(Instant now) {
        pid(now);
        return listens;
    }

    private boolean isGone(Instant now) {
        return found.isPresent() && alive.due(now, CHECKED) && !started.equals(start(found.getAsLong()));
    }

    private Path network(long pid) {
        Path process = proc.resolve(Long.toString(pid));
        String namespace = namespace(process);
        return namespace.isEmpty() || namespace.equals(namespace(proc.resolve("self")))
                ? proc.resolve("net")
                : process.resolve("net");
    }

    /** Looks for it, whatever is remembered; see {@link #pid(Instant)}. */
    public OptionalLong search() {
        Path own = proc.resolve("net");
        listens = socket;
        if (address.isIn(own)) {
            return listening.on(socket, port, own);
        }
        Set<String> seen = new HashSet<>();
        seen.add(namespace(proc.resolve("self")));
        try {
            for (Path process : KernelFiles.folder(proc, "[0-9]*")) {
                Path tables = process.resolve("net");
                if (seen.add(namespace(process)) && address.isIn(tables)) {
                    return listening.on(socket, port, tables);
                }
            }
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        // An address that no interface has, such as one that is translated on the way here: to whichever.
        listens = Optional.empty();
        return listening.on(listens, port, own);
    }

    private static String namespace(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("ns/net")).toString();
        } catch (IOException e) {
            // Ended just now, or another user's: as if it were in the collector's own.
            return "";
        }
    }

    /** Ids are used again: the time of the start tells two processes apart. */
    private String start(long pid) {
        List<String> fields = KernelFiles.stat(KernelFiles.text(proc.resolve(pid + "/stat")).orElse(""));
        return fields.size() > START ? fields.get(START) : "gone";
    }
}
