// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.benchmarks.scale.JavaProcess;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.scrape.ScrapeCredentials;
import io.redliner.collector.scrape.ScrapeMetrics;
import io.redliner.collector.scrape.ScrapeProperties;
import io.redliner.collector.scrape.ScrapeSource;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.util.unit.DataSize;

/**
 * What it takes to scrape five hundred instances with two hundred series each, every ten seconds: processor time of this
 * whole process, its collector and compiler included. The instances are in another process, which is not counted; the
 * measurements are counted and thrown away. Arguments: how many instances, how many intervals to measure, and formats, such
 * as {@code TEXT} or {@code TEXT+gzip}.
 */
public final class ScrapeBench {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final double NANOS = 1e9;

    /** Those that are asked near the ends of the time that is measured may answer outside it. */
    private static final double MOST_ANSWER = 0.99;

    private static final OperatingSystemMXBean SYSTEM = ManagementFactory
            .getPlatformMXBean(OperatingSystemMXBean.class);

    private record Row(String format, long answers, long failing, long measurements, List<Double> seconds, long mib) {

        double most() {
            return seconds.getLast();
        }
    }

    private ScrapeBench() {}

    /** Measures, prints a table, and fails when an interval took more than one core or not all answered. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int targets = Integer.parseInt(arguments[0]);
        int intervals = Integer.parseInt(arguments[1]);
        List<Row> rows = new ArrayList<>();
        for (var format : Arrays.asList(arguments).subList(2, arguments.length)) {
            rows.add(measured(targets, intervals, format));
        }
        System.out.printf(Locale.ROOT, "%d instances, %d series, every %d s, %d intervals after 2%n", targets,
                targets * ExpositionFormat.SERIES, INTERVAL.toSeconds(), intervals);
        System.out.println("format             answers  failing  measurements  CPU s per interval: median    most"
                + "  of a core  heap MiB");
        rows.forEach(row -> System.out.printf(Locale.ROOT, "%-17s  %7d  %7d  %12d  %26.2f  %6.2f  %8.1f%%  %8d%n",
                row.format, row.answers, row.failing, row.measurements, row.seconds.get(row.seconds.size() / 2),
                row.most(), 100 * row.most() / INTERVAL.toSeconds(), row.mib));
        System.exit(rows.stream().allMatch(row -> row.most() < INTERVAL.toSeconds() && row.failing == 0
                && row.answers >= MOST_ANSWER * targets * intervals) ? 0 : 1);
    }

    private static Row measured(int targets, int intervals, String format) throws IOException, InterruptedException {
        boolean compressed = format.endsWith("+gzip");
        try (var fleet = JavaProcess.start(ScrapedFleet.class, List.of("-Xmx512m"), Integer.toString(targets),
                format.replace("+gzip", ""), Boolean.toString(compressed))) {
            var measurements = new AtomicLong();
            var translator = new MetricTranslator("scrape",
                    new CustomGaugeSettings(List.of("*"), 500, 1_000, Duration.ofMinutes(5)),
                    new SimpleMeterRegistry());
            var properties = new ScrapeProperties(true, INTERVAL, Duration.ofSeconds(3), DataSize.ofMegabytes(16),
                    20_000, 100, new ScrapeCredentials("", "", null, null));
            try (var source = ScrapeSource.start(properties, targets(fleet.ready()), translator,
                    measured -> measurements.addAndGet(measured.size()), new ScrapeMetrics(new SimpleMeterRegistry()),
                    InstantSource.system())) {
                pass(INTERVAL.multipliedBy(2));
                long answersBefore = answers(source);
                long measuredBefore = measurements.get();
                List<Double> seconds = new ArrayList<>();
                for (int interval = 0; interval < intervals; interval++) {
                    long before = SYSTEM.getProcessCpuTime();
                    pass(INTERVAL);
                    seconds.add((SYSTEM.getProcessCpuTime() - before) / NANOS);
                }
                seconds.sort(null);
                long answers = answers(source) - answersBefore;
                long failing = ((Number) source.condition().details().getOrDefault("failing", 0)).longValue();
                return new Row(format, answers, failing, measurements.get() - measuredBefore, seconds, heapMib());
            }
        }
    }

    private static long answers(ScrapeSource source) {
        return ((Number) source.condition().details().getOrDefault("answered", 0)).longValue();
    }

    private static List<Target> targets(String ports) {
        List<Target> targets = new ArrayList<>();
        for (var port : ports.split(",", -1)) {
            targets.add(new Target(new InstanceId("shop", "127.0.0.1:" + port), Integer.parseInt(port), false,
                    Optional.of(URI.create("http://127.0.0.1:" + port + "/metrics")), Optional.empty()));
        }
        return targets;
    }

    private static long heapMib() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }

    private static void pass(Duration time) throws InterruptedException {
        if (new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("nobody counts it down");
        }
    }
}
