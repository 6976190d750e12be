// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.standalone.demo.DemoFleet;
import io.redliner.standalone.demo.InstanceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/** A server whose throughput one thing bounds, and the finding that is right. */
public enum Wall {

    /** One thread of Python computes for 11 ms: 90 requests/s. */
    ONE_THREAD("CPU"),
    /** Threads of Python that take turns compute for 11 ms each, on two cores: 90 requests/s. */
    PYTHON_THREADS("CPU"),
    /** Threads of Java compute for 11 ms each on the only core that they may use: at most 90 requests/s. */
    CORES("CPU"),
    /** Threads of Java compute for 6 ms each, with a quota of half a core: 83 requests/s. */
    QUOTA("CPU_QUOTA"),
    /** A heap that the sessions fill. */
    HEAP("GARBAGE_COLLECTION"),
    /** XML and a slow file behind a monitor: below 90 requests/s. */
    MONITOR("LOCK_CONTENTION"),
    /** Four connections of HikariCP to PostgreSQL, 45 ms for a query: 89 requests/s. */
    POOL("THREAD_OR_CONNECTION_POOL"),
    /** Four processes of Python, 45 ms for a request: 89 requests/s. */
    WORKERS("THREAD_OR_CONNECTION_POOL"),
    /** Four workers of gunicorn for httpbin's delay of 45 ms: 89 requests/s. */
    GUNICORN("THREAD_OR_CONNECTION_POOL"),
    /** Four threads of Java for tasks of 45 ms: 89 requests/s. */
    THREADS("THREAD_OR_CONNECTION_POOL"),
    /** A log of a page for each request, which is read at 90 pages/s: the requests wait for the lock of the log. */
    LOGGING("LOCK_CONTENTION"),
    /** A page for each request on a disk that takes 200 operations/s: about 90 requests/s, as each page takes two. */
    DISK("DISK"),
    /** Answers of 100 kB over a link of 72 Mbit/s: at most 90 requests/s. */
    LINK("NETWORK_BANDWIDTH"),
    /** Another service that answers at most 89 requests/s. */
    DOWNSTREAM("DOWNSTREAM_SERVICE"),
    /**
     * No wall: all that came is answered at the end of each two seconds. What ends in a window of one second is not what its requests in
     * flight and their latency make.
     */
    SYNCHRONOUS_ENDS("NONE_REACHED", "throughput");

    /** Requests that workers, PostgreSQL or the other service work on at the same time. */
    private static final int AT_A_TIME = 4;

    private static final Duration BUSY = Duration.ofMillis(45);

    private static final int MEGABITS = 72;

    private static final int WRITES_PER_SECOND = 200;

    private static final String SLOW_READER = """
            import os, sys, time
            log = os.open(sys.argv[1], os.O_RDONLY)
            while os.read(log, 4096):
                time.sleep(0.011)
            """;

    private final String finding;

    private final String check;

    Wall(String finding) {
        this(finding, "");
    }

    Wall(String finding, String check) {
        this.finding = finding;
        this.check = check;
    }

    /** The kind of bottleneck that is right. */
    String finding() {
        return finding;
    }

    /** The validity check that the server makes doubtful; empty for none. */
    String check() {
        return check;
    }

    /** Milliseconds that 95 % of the requests may take. */
    int latencyLimit() {
        return this == SYNCHRONOUS_ENDS ? 3_000 : 400;
    }

    /** Starts the server, and what it needs. */
    WalledProcess start(Path folder, int port) throws IOException {
        return switch (this) {
            case ONE_THREAD -> new WalledProcess(python(folder, port, 1, "compute", 11), List.of());
            case PYTHON_THREADS -> new WalledProcess(python(folder, port, 0, "compute", 11), List.of());
            case GUNICORN -> new WalledProcess(gunicorn(port), List.of());
            case WORKERS -> new WalledProcess(python(folder, port, AT_A_TIME, "wait", BUSY.toMillis()), List.of());
            case CORES -> {
                List<String> onFirstCore = new ArrayList<>(List.of("taskset", "-c", "0"));
                onFirstCore.addAll(java("burn", port, "-Xmx128m", "11"));
                yield new WalledProcess(onFirstCore, List.of());
            }
            case QUOTA -> {
                LimitedGroup quota = LimitedGroup.cpu(0.5);
                yield new WalledProcess(quota.enter(java("burn", port, "-Xmx128m", "6")), List.of(quota::close));
            }
            case HEAP -> new WalledProcess(java("heap", port, "-Xmx128m"), List.of());
            case MONITOR -> new WalledProcess(java("monitor", port, "-Xmx128m"), List.of());
            case POOL -> {
                EmbeddedDatabase database = EmbeddedDatabase.startTemporary();
                yield new WalledProcess(java("pool", port, "-Xmx128m", database.jdbcUrl()), List.of(database::close));
            }
            case THREADS -> new WalledProcess(java("threads", port, "-Xmx128m"), List.of());
            case LOGGING -> {
                Path log = folder.resolve("log");
                new ProcessBuilder("mkfifo", log.toString()).start().onExit().join();
                Process reader = new ProcessBuilder("python3", "-c", SLOW_READER, log.toString()).start();
                yield new WalledProcess(java("logging", port, "-Xmx128m", log.toString()), List.of(reader::destroy));
            }
            case DISK -> {
                LimitedGroup disk = LimitedGroup.writes(folder, WRITES_PER_SECOND);
                yield new WalledProcess(disk.enter(java("disk", port, "-Xmx128m", folder.toString())),
                        List.of(disk::close));
            }
            case LINK -> {
                LimitedLink link = LimitedLink.of(MEGABITS);
                yield new WalledProcess(link.enter(java("link", port, "-Xmx128m")), List.of(link));
            }
            case SYNCHRONOUS_ENDS -> new WalledProcess(java("synchronous-ends", port, "-Xmx128m"), List.of());
            case DOWNSTREAM -> {
                DemoFleet other = DemoFleet.start(List.of(new InstanceModel(AT_A_TIME, BUSY, 0, 1_000)), 1);
                yield new WalledProcess(
                        java("downstream", port, "-Xmx128m", "http://" + other.addresses().getFirst() + "/"),
                        List.of(other::close));
            }
        };
    }

    /** Returns true when the server has metrics to be scraped. */
    boolean hasMetrics() {
        return this == POOL || this == DOWNSTREAM || this == THREADS;
    }

    /** Returns true when its requests wait and hardly use the machine, so that others may run beside it. */
    boolean waits() {
        return Set.of(MONITOR, POOL, WORKERS, THREADS, LOGGING, DOWNSTREAM, SYNCHRONOUS_ENDS).contains(this);
    }

    /** Returns the path that its users ask for. */
    String path() {
        return this == GUNICORN ? "/delay/" + BUSY.toMillis() / 1e3 : "/";
    }

    /** Where it listens. */
    String host() {
        return this == LINK ? LimitedLink.ADDRESS : "127.0.0.1";
    }

    /** Mbit/s of a link of its own; empty without one. */
    OptionalInt linkMegabits() {
        return this == LINK ? OptionalInt.of(MEGABITS) : OptionalInt.empty();
    }

    private static List<String> python(Path folder, int port, int processes, String work, long millis)
            throws IOException {
        Path file = folder.resolve("server.py");
        try (var source = Wall.class.getResourceAsStream("/gallery/server.py")) {
            Files.write(file, source.readAllBytes());
        }
        return List.of("python3", file.toString(), Integer.toString(port), Integer.toString(processes), work,
                Long.toString(millis));
    }

    /** The test is skipped where Python has no gunicorn and httpbin. */
    private static List<String> gunicorn(int port) throws IOException {
        Process look = new ProcessBuilder("python3", "-c", "import gunicorn, httpbin").start();
        Assumptions.assumeTrue(look.onExit().join().exitValue() == 0, "pip install gunicorn httpbin");
        return List.of("python3", "-m", "gunicorn", "--workers", Integer.toString(AT_A_TIME), "--bind",
                "127.0.0.1:" + port, "httpbin:app");
    }

    private static List<String> java(String wall, int port, String heap, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), heap, "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                WalledServer.class.getName(), wall, Integer.toString(port)));
        command.addAll(List.of(more));
        return command;
    }
}
