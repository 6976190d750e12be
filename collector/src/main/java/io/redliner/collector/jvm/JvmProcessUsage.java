// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.jvm.GarbageCollector.GcPause;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** The CPU time, the allocated bytes, the heap and the uptime of a JVM's process. */
final class JvmProcessUsage {

    private static final ObjectName SYSTEM = MBeanReader.name("java.lang:type=OperatingSystem");

    private static final ObjectName RUNTIME = MBeanReader.name("java.lang:type=Runtime");

    private static final ObjectName THREADING = MBeanReader.name("java.lang:type=Threading");

    private static final ObjectName MEMORY = MBeanReader.name("java.lang:type=Memory");

    private final MBeanReader beans;

    /** The gauge of the CPU use. Where the collector measures the process itself, {@code cpu} is that measurement. */
    private final String cpuName;

    private final CpuTimeHistory cpuTimeHistory = new CpuTimeHistory();

    private final MonotonicDelta cpuDelta = new MonotonicDelta();

    private final MonotonicDelta allocatedDelta = new MonotonicDelta();

    private double cpuSeconds = Double.NaN;

    private double processors = Double.NaN;

    private double allocatedBytes = Double.NaN;

    private double maxHeapBytes = Double.NaN;

    private double uptimeMillis = Double.NaN;

    JvmProcessUsage(MBeanReader beans, boolean local) {
        this.beans = beans;
        cpuName = local ? "cpu[jvm]" : "cpu";
    }

    void read() throws IOException {
        maxHeapBytes = beans.read(MEMORY, "HeapMemoryUsage").get("HeapMemoryUsage") instanceof CompositeData heap
                && heap.get("max") instanceof Long max ? max.doubleValue() : Double.NaN;
        allocatedBytes = MBeanReader.number(beans.read(THREADING, "TotalThreadAllocatedBytes"),
                "TotalThreadAllocatedBytes");
        Map<String, Object> system = beans.read(SYSTEM, "ProcessCpuTime", "AvailableProcessors");
        cpuSeconds = MBeanReader.number(system, "ProcessCpuTime") / 1e9;
        processors = MBeanReader.number(system, "AvailableProcessors");
        uptimeMillis = uptimeNow();
        if (!Double.isNaN(cpuSeconds)) {
            cpuTimeHistory.add(cpuSeconds, uptimeMillis);
        }
    }

    /** Reads the time since the JVM began, in milliseconds. */
    double uptimeNow() throws IOException {
        return MBeanReader.number(beans.read(RUNTIME, "Uptime"), "Uptime");
    }

    /** Returns the uptime of the last reading. */
    double uptimeMillis() {
        return uptimeMillis;
    }

    /** See {@link CpuTimeHistory#usedSince(double)}. */
    double cpuSince(double sinceMillis) {
        return cpuTimeHistory.usedSince(sinceMillis);
    }

    /**
     * Returns the CPU time that the process used in a stop; NaN: not known. JMX gives the CPU time of the whole process, at each
     * poll. So the value counts from the last poll before the stop until the first one after it. It is at most what all
     * processors could have worked in the stop. It is never too low. It is nearly right for a stop that is much longer than the
     * time between polls, and for others when nothing else used CPU.
     */
    double cpuIn(GcPause pause) {
        return Math.min(cpuTimeHistory.usedSince((double) pause.beginMillis()), pause.seconds() * processors);
    }

    void report(JvmSampleSet samples) {
        cpuDelta.to(cpuSeconds).ifPresent(
                used -> samples.over(cpuName, Math.min(1, used / samples.seconds() / Math.max(1, processors))));
        allocatedDelta.to(allocatedBytes)
                .ifPresent(bytes -> samples.over("allocation.rate", bytes / samples.seconds()));
        if (!Double.isNaN(uptimeMillis)) {
            samples.at("process.uptime", uptimeMillis / 1e3);
        }
    }

    /** Adds the heap in use after the last collection, in bytes and as part of the largest heap. */
    void reportHeap(double bytesAfterCollection, JvmSampleSet samples) {
        samples.at("heap.after.gc", bytesAfterCollection);
        if (maxHeapBytes > 0) {
            samples.at("memory[heap.after.gc]", bytesAfterCollection / maxHeapBytes);
        }
    }

    /** The CPU time that the process had used at each of the last polls. */
    static final class CpuTimeHistory {

        private static final int MAX_SAMPLES = 256;

        private final Deque<Sample> samples = new ArrayDeque<>();

        /** Adds a poll, in which the CPU time was read before the uptime. */
        void add(double cpuSeconds, double uptimeMillis) {
            if (samples.size() == MAX_SAMPLES) {
                samples.removeFirst();
            }
            samples.addLast(new Sample(cpuSeconds, uptimeMillis));
        }

        /**
         * Returns an upper bound of the CPU time that the process has used since a time; NaN when no poll came before that time.
         *
         * @param uptimeMillis the time, since the JVM began
         */
        double usedSince(double uptimeMillis) {
            Iterator<Sample> newestFirst = samples.descendingIterator();
            while (newestFirst.hasNext()) {
                Sample sample = newestFirst.next();
                if (sample.uptimeMillis() <= uptimeMillis) {
                    return samples.getLast().cpuSeconds() - sample.cpuSeconds();
                }
            }
            return Double.NaN;
        }

        private record Sample(double cpuSeconds, double uptimeMillis) {}
    }
}
