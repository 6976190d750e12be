// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.management.ThreadMXBean;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.redliner.collector.CollectorApplication;
import io.redliner.collector.accesslog.AccessLogServer;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowAggregator;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * How many entries of access logs one thread of the collector takes, over real gRPC, and what it allocates beyond what reading the
 * messages allocates. The proxies are a client in this process; only the collector's network thread is measured, by its own CPU
 * time. No Kafka: sealed windows are dropped behind the collector's buffer.
 *
 * <p>Arguments: seconds of warm-up, seconds of measurement.
 */
public final class AccessLogBench {

    private static final double TARGET = 200_000;

    private static final int REQUESTS = 100;

    private static final int INSTANCES = 10;

    private static final int PARSES = 4_000;

    private static final String NETWORK_THREAD = "redliner-collector-proxy-";

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private static final Clock CLOCK = Clock.systemUTC();

    private AccessLogBench() {}

    /** What the network thread had used. */
    private record Usage(long cpuNanos, long bytes, long entries) {

        static Usage of(long thread, WindowAggregator windows) {
            long entries = windows.metrics().received(RecordKind.START) + windows.metrics().received(RecordKind.END);
            return new Usage(THREADS.getThreadCpuTime(thread), THREADS.getThreadAllocatedBytes(thread), entries);
        }
    }

    /** Fails when the target is missed. */
    public static void main(String[] arguments) throws Exception {
        Duration warmUp = Duration.ofSeconds(Integer.parseInt(arguments[0]));
        Duration measurement = Duration.ofSeconds(Integer.parseInt(arguments[1]));
        try (ConfigurableApplicationContext collector = CollectorApplication.builder().run("--server.port=0",
                "--redliner.collector.access-log.port=0", "--redliner.collector.access-log.threads=1",
                "--redliner.collector.window.grace=2s", "--redliner.kafka.bootstrap-servers=127.0.0.1:1",
                "--logging.level.root=error")) {
            WindowAggregator windows = collector.getBean(WindowAggregator.class);
            TestedWindows.begin(windows);
            try (AccessLogSender sender = new AccessLogSender(collector.getBean(AccessLogServer.class).port(),
                    new AccessLogMessage(REQUESTS, INSTANCES, 1, true), CLOCK)) {
                sender.run(CLOCK.instant().plus(warmUp));
                long thread = networkThread();
                Usage before = Usage.of(thread, windows);
                Instant begin = CLOCK.instant();
                sender.run(begin.plus(measurement));
                Usage after = Usage.of(thread, windows);
                print(before, after, Duration.between(begin, CLOCK.instant()), windows);
            }
        }
    }

    private static void print(Usage before, Usage after, Duration wall, WindowAggregator windows) throws Exception {
        double entries = after.entries - before.entries;
        double perCpuSecond = entries / (after.cpuNanos - before.cpuNanos) * 1e9;
        double allocated = (after.bytes - before.bytes) / entries;
        double parsing = allocatedByParsing();
        long lost = windows.metrics().dropped(RecordKind.START) + windows.metrics().dropped(RecordKind.END);
        System.out.printf(Locale.ROOT, "entries/s of wall time            %,12.0f%n", entries / wall.toNanos() * 1e9);
        System.out.printf(Locale.ROOT, "entries/s of one core             %,12.0f  (target %,.0f)%n", perCpuSecond,
                TARGET);
        System.out.printf(Locale.ROOT, "bytes allocated per entry         %12.0f%n", allocated);
        System.out.printf(Locale.ROOT, "  by protobuf alone               %12.0f%n", parsing);
        System.out.printf(Locale.ROOT, "  by gRPC and counting            %12.1f%n", allocated - parsing);
        System.out.printf(Locale.ROOT, "entries dropped                   %,12d%n", lost);
        if (perCpuSecond < TARGET || lost > 0) {
            System.out.println("MISSED");
            System.exit(1);
        }
        System.exit(0);
    }

    private static double allocatedByParsing() throws InvalidProtocolBufferException {
        AccessLogMessage log = new AccessLogMessage(REQUESTS, INSTANCES, 1, false);
        byte[] bytes = log.at(CLOCK.instant().getEpochSecond());
        long hash = 0;
        long thread = Thread.currentThread().threadId();
        long before = 0;
        for (int round = 0; round < 2 * PARSES; round++) {
            if (round == PARSES) {
                before = THREADS.getThreadAllocatedBytes(thread);
            }
            hash += StreamAccessLogsMessage.parseFrom(bytes).getHttpLogs().getLogEntryList().stream()
                    .mapToInt(AccessLogBench::askForMaps).sum();
        }
        double parsed = (double) PARSES * log.entries();
        if (hash != 0) {
            throw new IllegalStateException("there is nothing in these maps");
        }
        return (THREADS.getThreadAllocatedBytes(thread) - before) / parsed;
    }

    /** Protobuf makes an object for each empty map that it is asked for. */
    private static int askForMaps(HTTPAccessLogEntry entry) {
        return entry.getCommonProperties().getCustomTagsCount() + entry.getResponse().getResponseTrailersCount()
                + entry.getResponse().getResponseHeadersCount();
    }

    private static long networkThread() {
        return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().startsWith(NETWORK_THREAD))
                .findFirst().orElseThrow().threadId();
    }
}
