// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder with the files of a machine of two cores, 8 GiB and one process that listens on port 8080. */
final class MachineFolder {

    private static final long PID = 4711;

    private final Path root;

    MachineFolder(Path root) {
        this.root = root;
        write("proc/net/tcp",
                """
                          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                           0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1528 1 0 100 0
                        """);
        write("proc/" + PID + "/stat", stat(0));
        write("proc/" + PID + "/status", "Name:\tjava\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n");
        write("proc/" + PID + "/cgroup", "0::/\n");
        write("proc/loadavg", "1.25 0.80 0.60 2/345 6789\n");
        write("proc/self/cgroup", "0::/\n");
        for (String resource : List.of("cpu", "io", "memory")) {
            stalled(resource, 0);
        }
        write("proc/meminfo", """
                MemTotal:        8388608 kB
                MemFree:          524288 kB
                MemAvailable:    6291456 kB
                SwapCached:            0 kB
                SwapTotal:       1048576 kB
                SwapFree:         786432 kB
                """);
        write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
        write("sys/fs/cgroup/cpu.stat", "usage_usec 1000\nuser_usec 500\nsystem_usec 500\n");
        cpu(1_000, 2_000, 3_000, 0, 0);
        traffic(0, 0);
        try {
            Files.createDirectories(root.resolve("proc/" + PID + "/fd"));
            Files.createSymbolicLink(root.resolve("proc/" + PID + "/fd/5"), Path.of("socket:[1528]"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread(4711, 0);
    }

    /** Hundredths of a second of both cores, and switches. */
    void cpu(long busyFirst, long busySecond, long idleEach, long stealFirst, long switches) {
        write("proc/stat", """
                cpu  1 2 3 4 5 6 7 8 0 0
                cpu0 %d 0 0 %d 0 0 0 %d 0 0
                cpu1 0 0 %d %d 0 0 0 0 0 0
                intr 88776321 0 0
                ctxt %d
                btime 1763701463
                """.formatted(busyFirst, idleEach, stealFirst, busySecond, idleEach, switches));
    }

    void traffic(long received, long sent) {
        traffic("proc/net/dev", received, sent);
    }

    void traffic(String file, long received, long sent) {
        write(file,
                """
                        Inter-|   Receive                                                |  Transmit
                         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo
                            lo: 59551249894 85543265    0    0    0     0          0         0 59551249894 85543265    0    0
                          eth0: %d   40990    0    0    0     0          0         0  %d   33025    0    0    0     0       0
                        veth12: 99999   40990    0    0    0     0          0         0  4958150   33025    0    0    0     0
                        """
                        .formatted(received, sent));
    }

    /** Hundredths of a second of a thread of the process. */
    void thread(long id, long ticks) {
        write("proc/" + PID + "/task/" + id + "/stat", stat(ticks));
    }

    /** Nanoseconds for which a thread of the process waited for a CPU. */
    void waited(long id, long nanos) {
        write("proc/" + PID + "/task/" + id + "/schedstat", "12345 " + nanos + " 678\n");
    }

    /** Hundredths of a second of the process. */
    void process(long ticks) {
        write("proc/" + PID + "/stat", stat(ticks));
    }

    /** Hundredths of a second of another process. */
    void worker(long pid, long parent, long ticks) {
        write("proc/" + pid + "/stat", pid + " (worker) S " + parent + " 4711 4711 0 -1 4194560 1 2 3 4 " + ticks
                + " 0 0 0 20 0 1 0 777 123 456\n");
    }

    void stalled(String resource, long micros) {
        write("proc/pressure/" + resource, pressure(micros));
    }

    void write(String file, String text) {
        try {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete(String file) {
        try {
            Files.delete(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String stat(long ticks) {
        return "4711 (a ) (name) S 1 4711 4711 0 -1 4194560 1 2 3 4 " + ticks + " 0 0 0 20 0 30 0 777 123 456\n";
    }

    private static String pressure(long micros) {
        return "some avg10=0.00 avg60=0.04 avg300=0.13 total=" + micros
                + "\nfull avg10=0.00 avg60=0.03 avg300=0.10 total=5\n";
    }
}
