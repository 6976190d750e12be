// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import com.sun.management.OperatingSystemMXBean;
import io.redliner.collector.concurrent.WorkerThread;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.SelfGauges;
import io.redliner.collector.windowing.DegradationReason;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.duration.Durations;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Monitors the collector itself: how long arrivals wait, whether the whole process stood still, and how much of its CPU it used.
 * After a standstill the next tick is late, as in jHiccup. Windows in which one of these is too much are marked. Once a second the
 * monitor reads what the hypervisor and a quota took from the collector. A second thread wakes after each 10 ms and measures for
 * how long it could not, {@code collector.stalled}: a sign of noise on the collector's machine that needs no counter of it.
 */
final class SelfMonitor implements MetricSource {

    /** The CPU use is taken over this number of ticks, at each tick, so that a window is marked before it is closed. */
    private static final int CPU_TICKS = 10;

    /** The interval of the host's values, because the kernel counts in hundredths of a second. */
    private static final Duration HOST_INTERVAL = Duration.ofSeconds(1);

    private final SelfMonitoringProperties properties;

    private final List<EventLoopLagMonitor> loops;

    private final WindowAggregator windows;

    private final InstantSource clock;

    private final OperatingSystemMXBean process;

    private final AtomicLong marks = new AtomicLong();

    private final SelfGauges hostGauges;

    private Instant lastSample;

    private Instant lastHostSample;

    private final Deque<CpuTime> cpuTimes = new ArrayDeque<>();

    private final LongSupplier nanoTime;

    private final List<GarbageCollectorMXBean> stoppingCollectors;

    private final WakeUpLateness wakeUpLateness;

    private final WorkerThread worker;

    private final WorkerThread wakeUpWorker;

    private SelfMonitor(SelfMonitoringProperties properties, List<Executor> loops, WindowAggregator windows,
            OperatingSystemMXBean process,
            SelfGauges hostGauges, InstantSource clock, LongSupplier nanoTime) {
        this.hostGauges = hostGauges;
        this.properties = properties;
        this.loops = loops.stream().map(loop -> new EventLoopLagMonitor(loop, clock)).toList();
        this.windows = windows;
        this.clock = clock;
        this.process = process;
        lastSample = clock.instant();
        lastHostSample = lastSample;
        cpuTimes.add(new CpuTime(lastSample, process.getProcessCpuTime()));
        this.nanoTime = nanoTime;
        // The beans of collectors that work beside the threads count the length of whole cycles.
        stoppingCollectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !bean.getName().endsWith(" Cycles")).toList();
        wakeUpLateness = new WakeUpLateness(nanoTime.getAsLong(), collectionMillis());
        wakeUpWorker = WorkerThread.start("redliner-collector-wake-ups", pause -> {
            pause.take(WakeUpLateness.INTERVAL);
            wakeUpLateness.wokeUp(nanoTime.getAsLong(), collectionMillis());
        });
        worker = WorkerThread.start("redliner-collector-watch", this::sample);
    }

    /** Starts the monitor's threads. */
    static SelfMonitor start(SelfMonitoringProperties properties, List<Executor> loops, WindowAggregator windows,
            OperatingSystemMXBean process, SelfGauges hostGauges, InstantSource clock, LongSupplier nanoTime) {
        return new SelfMonitor(properties, loops, windows, process, hostGauges, clock, nanoTime);
    }

    @Override
    public String name() {
        return "self";
    }

    @Override
    public SourceHealth health() {
        Map<String, Object> details = Map.of("marks", marks.get());
        return worker.isAlive() && wakeUpWorker.isAlive() ? SourceHealth.working(details) : SourceHealth.dead(details);
    }

    @Override
    public void close() {
        worker.close();
        wakeUpWorker.close();
    }

    private void sample(WorkerThread.Pause pause) throws InterruptedException {
        pause.take(properties.tick());
        Instant before = lastSample;
        Instant now = clock.instant();
        lastSample = now;
        Duration late = Duration.between(before, now).minus(properties.tick());
        if (late.isNegative()) {
            // The clock was set back.
            return;
        }
        Duration waited = loops.stream().map(loop -> loop.lag(now)).reduce(Duration.ZERO,
                (a, b) -> a.compareTo(b) >= 0 ? a : b);
        mark(DegradationReason.PAUSE, late, now);
        mark(DegradationReason.LAG, waited, now);
        Duration worst = late.compareTo(waited) >= 0 ? late : waited;
        windows.measureSelf("collector.lag", worst.toNanos() / 1e9, before, now);
        sampleCpu(before, now);
        double stalled = wakeUpLateness.take(nanoTime.getAsLong(), collectionMillis());
        if (wakeUpWorker.isAlive() && Double.isFinite(stalled)) {
            windows.measureSelf("collector.stalled", stalled, before, now);
        }
        if (!now.isBefore(lastHostSample.plus(HOST_INTERVAL))) {
            Instant from = lastHostSample;
            lastHostSample = now;
            hostGauges.sample(now).forEach((gauge, value) -> windows.measureSelf(gauge, value, from, now));
        }
    }

    private long collectionMillis() {
        return stoppingCollectors.stream().mapToLong(bean -> Math.max(0, bean.getCollectionTime())).sum();
    }

    private void mark(DegradationReason reason, Duration length, Instant now) {
        if (length.compareTo(properties.lag()) > 0) {
            marks.incrementAndGet();
            windows.impair(reason, now.minus(length), now);
        }
    }

    private void sampleCpu(Instant before, Instant now) {
        long nanos = process.getProcessCpuTime();
        CpuTime first = cpuTimes.getFirst();
        double available = (double) Duration.between(first.at(), now).toNanos() * process.getAvailableProcessors();
        if (cpuTimes.size() >= CPU_TICKS && available > 0) {
            cpuTimes.removeFirst();
            double used = Math.clamp((nanos - first.nanos()) / available, 0, 1);
            windows.measureSelf("collector.cpu", used, before, now);
            if (used > properties.cpu()) {
                marks.incrementAndGet();
                windows.impair(DegradationReason.CPU, first.at(), now);
            }
        }
        cpuTimes.addLast(new CpuTime(now, nanos));
    }

    private record CpuTime(Instant at, long nanos) {}

    /** Measures how long a task waits for one thread, which is as long as what arrives from the network waits. */
    private static final class EventLoopLagMonitor {

        private final Executor loop;

        private final InstantSource clock;

        private @Nullable Instant requestedAt;

        private Duration longest = Duration.ZERO;

        EventLoopLagMonitor(Executor loop, InstantSource clock) {
            this.loop = loop;
            this.clock = clock;
        }

        /** Returns the longest wait since the last call, that of a task that still waits included, and submits the next task. */
        Duration lag(Instant now) {
            Duration lag;
            boolean due;
            synchronized (this) {
                lag = requestedAt == null ? longest : Durations.longer(longest, Duration.between(requestedAt, now));
                longest = Duration.ZERO;
                due = requestedAt == null;
                if (due) {
                    requestedAt = now;
                }
            }
            if (due) {
                try {
                    loop.execute(this::answer);
                } catch (RejectedExecutionException e) {
                    // It is being closed.
                    answer();
                }
            }
            return lag;
        }

        private synchronized void answer() {
            if (requestedAt != null) {
                longest = Durations.longer(longest, Duration.between(requestedAt, clock.instant()));
                requestedAt = null;
            }
        }
    }

    /**
     * Sums up by how much a thread woke up too late that wanted to wake after each {@link #INTERVAL}: the machine, or the process, then
     * stood still. The process's own garbage collections are left out. Times are those of a monotonic clock, in nanoseconds. For any
     * thread.
     */
    static final class WakeUpLateness {

        static final Duration INTERVAL = Duration.ofMillis(10);

        /**
         * Lateness that is no standstill: a thread waits for some milliseconds while others use the processors, which the SUT may do. On
         * two processors with 4.5 threads that wanted to run, 99 % of the wake-ups were less than 2.2 ms late, 99.9 % less than 19 ms.
         */
        private static final long TOLERANCE_NANOS = Duration.ofMillis(10).toNanos();

        private long dueNanos;

        private long collectedMillis;

        private long lostNanos;

        private long takenNanos;

        /**
         * Begins now.
         *
         * @param collectionMillis time for which garbage collections have stopped the process since it began
         */
        WakeUpLateness(long nanoTime, long collectionMillis) {
            dueNanos = nanoTime + INTERVAL.toNanos();
            collectedMillis = collectionMillis;
            takenNanos = nanoTime;
        }

        /** Records that the thread woke up. */
        synchronized void wokeUp(long nanoTime, long collectionMillis) {
            add(nanoTime, collectionMillis);
            dueNanos = nanoTime + INTERVAL.toNanos();
            collectedMillis = collectionMillis;
        }

        /**
         * Returns the part of the time since the last call that was lost, 0 to 1; a wake-up that is overdue counts up to now. NaN when
         * no time has passed.
         */
        synchronized double take(long nanoTime, long collectionMillis) {
            if (add(nanoTime, collectionMillis)) {
                dueNanos = nanoTime;
                collectedMillis = collectionMillis;
            }
            long passed = nanoTime - takenNanos;
            double part = passed > 0 ? Math.min(1, (double) lostNanos / passed) : Double.NaN;
            takenNanos = nanoTime;
            lostNanos = 0;
            return part;
        }

        private boolean add(long nanoTime, long collectionMillis) {
            long late = nanoTime - dueNanos - Duration.ofMillis(collectionMillis - collectedMillis).toNanos();
            if (late <= TOLERANCE_NANOS) {
                return false;
            }
            lostNanos += late;
            return true;
        }
    }
}
