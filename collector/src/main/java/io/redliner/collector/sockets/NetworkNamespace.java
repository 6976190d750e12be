// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Reads the tables of one network namespace, in which one or several instances listen. The kernel takes time for each socket and
 * each slot of its hash table, so the tables are read as often as the permitted CPU time allows.
 */
final class NetworkNamespace {

    private static final int PORTS = 1 << 16;

    private static final ListenPortStats[] NONE = {};

    private final Path net;

    private final SocketsProperties properties;

    private final LongSupplier used;

    private final TcpTableReader table = new TcpTableReader();

    private final CounterDeltas counters = new CounterDeltas();

    private final IntervalTimer timer = new IntervalTimer();

    private final ListenPortStats[][] byPort = new ListenPortStats[PORTS][];

    private Duration pace = Duration.ZERO;

    private boolean whole;

    /**
     * Creates a reader.
     *
     * @param net such as {@code /proc/net}
     * @param used the CPU time of this thread, in nanoseconds
     */
    NetworkNamespace(Path net, SocketsProperties properties, LongSupplier used) {
        this.net = net;
        this.properties = properties;
        this.used = used;
        Arrays.fill(byPort, NONE);
    }

    /** Returns the interval of the readings. */
    Duration pace() {
        return pace;
    }

    /** Returns whether the last reading was complete. */
    boolean isWhole() {
        return whole;
    }

    /** Reads all tables when a reading is due; returns false otherwise. */
    boolean sample(SampleSet samples, Collection<ListenPortStats> ports) {
        if (!timer.due(samples.now(), pace)) {
            return false;
        }
        ports.forEach(stats -> {
            stats.clear();
            // Several instances may have the same port, each on an address of its own.
            ListenPortStats[] before = byPort[stats.port()];
            byPort[stats.port()] = Arrays.copyOf(before, before.length + 1);
            byPort[stats.port()][before.length] = stats;
        });
        long begun = used.getAsLong();
        whole = true;
        ports.forEach(ListenPortStats::table);
        read(samples, "tcp");
        ports.forEach(ListenPortStats::table);
        read(samples, "tcp6");
        pace = Duration.ofNanos((long) ((used.getAsLong() - begun) / properties.cpu()));
        ports.forEach(stats -> byPort[stats.port()] = NONE);
        count(samples, "snmp", "Tcp", "RetransSegs", "machine.retransmits");
        count(samples, "netstat", "TcpExt", "ListenOverflows", "machine.accept.overflows");
        count(samples, "netstat", "TcpExt", "ListenDrops", "machine.accept.drops");
        return true;
    }

    private void read(SampleSet samples, String name) {
        Path file = net.resolve(name);
        try {
            table.read(file, properties.maxSockets(), this::take);
        } catch (IOException e) {
            // Without IPv6 there is no such table.
            if (!name.equals("tcp6") || Files.exists(file)) {
                whole = false;
                samples.missing(file + " cannot be read: no sockets");
            }
            return;
        }
        if (table.malformed() > 0) {
            samples.missing(table.malformed() + " rows of " + file + " make no sense");
        }
        if (table.rows() >= properties.maxSockets()) {
            whole = false;
            samples.missing(file + " has more than redliner.collector.sockets.max-sockets=" + properties.maxSockets()
                    + " rows: no sockets");
        }
    }

    private void take(TcpTableRow row) {
        for (ListenPortStats local : byPort[row.localPort()]) {
            local.add(row);
        }
        if (row.remotePort() != row.localPort()) {
            for (ListenPortStats remote : byPort[row.remotePort()]) {
                remote.add(row);
            }
        }
    }

    private void count(SampleSet samples, String file, String group, String name, String gauge) {
        OptionalLong count = ProcFiles.text(net.resolve(file)).map(text -> value(text, group, name))
                .orElse(OptionalLong.empty());
        if (count.isEmpty()) {
            samples.missing(net.resolve(file) + " does not tell " + name + ": no " + gauge);
        } else {
            counters.read(gauge, count.getAsLong(), samples.now())
                    .ifPresent(change -> samples.over(gauge, change.perSecond(), change.from(), pace));
        }
    }

    /**
     * Returns one number of one group, such as Tcp and RetransSegs; empty when it is not there. The files consist of pairs of
     * lines, names in the first and numbers in the second.
     */
    private static OptionalLong value(String text, String group, String name) {
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
