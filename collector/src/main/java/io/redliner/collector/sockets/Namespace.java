// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.machine.Beat;
import io.redliner.collector.machine.Counters;
import io.redliner.collector.machine.KernelFiles;
import io.redliner.collector.source.Readings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The tables of one network namespace, in which one or several instances listen. To make them costs the kernel time, for
 * each socket and for each place where one could be: they are read as often as the CPU that they may use allows.
 */
final class Namespace {

    private static final int PORTS = 1 << 16;

    private static final PortTally[] NONE = {};

    private final Path net;

    private final SocketsProperties properties;

    private final LongSupplier used;

    private final SocketTable table = new SocketTable();

    private final Counters counters = new Counters();

    private final Beat beat = new Beat();

    private final PortTally[][] byPort = new PortTally[PORTS][];

    private Duration pace = Duration.ZERO;

    private boolean whole;

    /**
     * @param net such as {@code /proc/net}
     * @param used the CPU time of this thread, in nanoseconds
     */
    Namespace(Path net, SocketsProperties properties, LongSupplier used) {
        this.net = net;
        this.properties = properties;
        this.used = used;
        Arrays.fill(byPort, NONE);
    }

    Path net() {
        return net;
    }

    /** How long it takes until the tables are read again. */
    Duration pace() {
        return pace;
    }

    /** Whether all of the tables was read the last time. */
    boolean isWhole() {
        return whole;
    }

    /** Reads all of it, if it is time; false when it is not. */
    boolean look(Readings readings, Collection<PortTally> ports) {
        if (!beat.due(readings.now(), pace)) {
            return false;
        }
        ports.forEach(tally -> {
            tally.clear();
            // Several instances may have the same port, each on an address of its own.
            PortTally[] before = byPort[tally.port()];
            byPort[tally.port()] = Arrays.copyOf(before, before.length + 1);
            byPort[tally.port()][before.length] = tally;
        });
        long begun = used.getAsLong();
        whole = true;
        ports.forEach(PortTally::table);
        read(readings, "tcp");
        ports.forEach(PortTally::table);
        read(readings, "tcp6");
        pace = Duration.ofNanos((long) ((used.getAsLong() - begun) / properties.cpu()));
        ports.forEach(tally -> byPort[tally.port()] = NONE);
        count(readings, "snmp", "Tcp", "RetransSegs", "machine.retransmits");
        count(readings, "netstat", "TcpExt", "ListenOverflows", "machine.accept.overflows");
        count(readings, "netstat", "TcpExt", "ListenDrops", "machine.accept.drops");
        return true;
    }

    private void read(Readings readings, String name) {
        Path file = net.resolve(name);
        try {
            table.read(file, properties.maxSockets(), this::take);
        } catch (IOException e) {
            // Without IPv6 there is no such table.
            if (!name.equals("tcp6") || Files.exists(file)) {
                whole = false;
                readings.missing(file + " cannot be read: no sockets");
            }
            return;
        }
        if (table.malformed() > 0) {
            readings.missing(table.malformed() + " rows of " + file + " make no sense");
        }
        if (table.rows() >= properties.maxSockets()) {
            whole = false;
            readings.missing(file + " has more than redliner.collector.sockets.max-sockets=" + properties.maxSockets()
                    + " rows: no sockets");
        }
    }

    private void take(SocketRow row) {
        for (PortTally local : byPort[row.localPort()]) {
            local.add(row);
        }
        if (row.remotePort() != row.localPort()) {
            for (PortTally remote : byPort[row.remotePort()]) {
                remote.add(row);
            }
        }
    }

    private void count(Readings readings, String file, String group, String name, String gauge) {
        OptionalLong count = KernelFiles.text(net.resolve(file)).map(text -> KernelCounts.value(text, group, name))
                .orElse(OptionalLong.empty());
        if (count.isEmpty()) {
            readings.missing(net.resolve(file) + " does not tell " + name + ": no " + gauge);
        } else {
            counters.read(gauge, count.getAsLong(), readings.now())
                    .ifPresent(change -> readings.over(gauge, change.perSecond(), change.from(), pace));
        }
    }
}
