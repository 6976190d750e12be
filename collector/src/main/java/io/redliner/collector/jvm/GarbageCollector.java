// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * One garbage collector of a JVM. Its bean shows only the last collection. Earlier ones between two polls arrive as
 * notifications.
 */
final class GarbageCollector implements NotificationListener {

    private static final int MAX_KNOWN = 1_000;

    private final MBeanReader beans;

    private final ObjectName bean;

    private final String name;

    private final GcBeanKind kind;

    private final MonotonicDelta countDelta = new MonotonicDelta();

    private final MonotonicDelta millisDelta = new MonotonicDelta();

    private final StoppedTimeRatio stoppedRatio = new StoppedTimeRatio();

    private @Nullable GcPause longestPause;

    private @Nullable GcInfo last;

    /** Stops that are counted, since the last reading. */
    private final List<GcPause> counted = new ArrayList<>();

    /** Ids of the last collections: the notification of a collection can come after the reading that found it in the bean. */
    private final TreeSet<Long> known = new TreeSet<>();

    private boolean begun;

    private double totalMillis;

    private double totalCount;

    GarbageCollector(MBeanReader beans, ObjectName bean) {
        this.beans = beans;
        this.bean = bean;
        name = String.valueOf(bean.getKeyProperty("name"));
        kind = GcBeanKind.of(name);
    }

    String name() {
        return name;
    }

    GcBeanKind kind() {
        return kind;
    }

    void listen() throws IOException, JMException {
        beans.connection().addNotificationListener(bean, this, null, null);
    }

    void stopListening() throws IOException, JMException {
        beans.connection().removeNotificationListener(bean, this);
    }

    @Override
    public void handleNotification(Notification notification, @Nullable Object handback) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                && notification.getUserData() instanceof CompositeData data) {
            merge(GarbageCollectionNotificationInfo.from(data).getGcInfo());
        }
    }

    /** Reads the bean. The first reading only sets the base of the counts. */
    Reading read() throws IOException {
        Map<String, Object> values = beans.read(bean, "CollectionCount", "CollectionTime", "LastGcInfo");
        totalMillis = MBeanReader.number(values, "CollectionTime");
        totalCount = MBeanReader.number(values, "CollectionCount");
        return new Reading(countDelta.to(totalCount),
                seconds(millisDelta.to(totalMillis)),
                longest(values.get("LastGcInfo") instanceof CompositeData data ? GcInfo.from(data) : null),
                takeCounted());
    }

    /** Adds the rates and times of this collector, without its single stops. */
    void report(Reading reading, JvmSampleSet samples) {
        double between = samples.seconds();
        if (kind.collects()) {
            reading.count().ifPresent(grown -> samples.over("gc.rate[" + name + "]", grown / between));
        }
        if (kind.stops()) {
            reading.seconds()
                    .ifPresent(seconds -> samples.over("gc.time[" + name + "]", stoppedRatio.of(seconds, between)));
        } else {
            reading.seconds().ifPresent(seconds -> samples.over("gc.concurrent[" + name + "]", seconds / between));
        }
    }

    private static OptionalDouble seconds(OptionalDouble millis) {
        return millis.isEmpty() ? millis : OptionalDouble.of(millis.getAsDouble() / 1e3);
    }

    private synchronized Optional<GcPause> longest(@Nullable GcInfo newest) {
        if (newest != null) {
            merge(newest);
        }
        begun = true;
        last = newest;
        GcPause pause = longestPause;
        longestPause = null;
        return Optional.ofNullable(pause);
    }

    /** Merges a collection into the stops since the last reading, once. Those before the first reading are known and do not count. */
    private synchronized void merge(GcInfo collection) {
        boolean isNew = known.add(collection.getId());
        if (known.size() > MAX_KNOWN) {
            known.pollFirst();
        }
        if (begun && isNew) {
            GcPause pause = new GcPause(collection.getStartTime(), collection.getEndTime());
            longestPause = longestPause == null ? pause : GcPause.longer(longestPause, pause);
            if (pause.counts()) {
                counted.add(pause);
            }
        }
    }

    private synchronized List<GcPause> takeCounted() {
        List<GcPause> taken = List.copyOf(counted);
        counted.clear();
        return taken;
    }

    /** Returns the last collection, as of the last reading. */
    Optional<GcInfo> last() {
        return Optional.ofNullable(last);
    }

    /** Returns the time of all collections, as of the last reading; NaN when not known. */
    double totalMillis() {
        return totalMillis;
    }

    /** Returns the number of all collections, as of the last reading; NaN when not known. */
    double totalCount() {
        return totalCount;
    }

    /**
     * The collections or stops between two polls.
     *
     * @param count how many, if known
     * @param seconds that they took, if known
     * @param longest of them
     * @param counted those that are long enough to be counted
     */
    record Reading(OptionalDouble count, OptionalDouble seconds, Optional<GcPause> longest, List<GcPause> counted) {}

    /** Kinds of garbage collector beans, by whether their times are stops and their counts collections. */
    enum GcBeanKind {
        /** The collector stops all threads, and each stop is a collection. */
        STOPPING,
        /** The bean counts the stops within the concurrent collections of another bean. */
        STOPS_ONLY,
        /** The collector works beside the threads: its times are no pauses. */
        CONCURRENT;

        /**
         * Returns the kind for a bean's name, which alone tells them apart. "G1 Concurrent GC" has the Remark and Cleanup pauses
         * (since Java 20), in spite of its name.
         */
        static GcBeanKind of(String name) {
            if (name.endsWith(" Cycles") || name.equals("ZGC") || name.equals("ConcurrentMarkSweep")) {
                return CONCURRENT;
            }
            return name.endsWith(" Pauses") || name.equals("G1 Concurrent GC") ? STOPS_ONLY : STOPPING;
        }

        boolean stops() {
            return this != CONCURRENT;
        }

        boolean collects() {
            return this != STOPS_ONLY;
        }
    }

    /**
     * A stop of all threads of a JVM.
     *
     * @param beginMillis since the JVM began
     * @param endMillis since the JVM began; JMX knows no finer time
     */
    record GcPause(long beginMillis, long endMillis) {

        /** Shorter stops are not counted: users do not notice them. */
        static final double COUNTED_SECONDS = 0.01;

        /** The cause of shorter stops is not examined: the CPU time is not known finely enough. */
        private static final double LONG_SECONDS = 0.1;

        /**
         * The ratio of CPU time to length up to which a process stood still. A process that runs through a stop uses at least
         * as much CPU time as the stop lasts.
         */
        private static final double STOOD_STILL = 0.2;

        double seconds() {
            return (endMillis - beginMillis) / 1e3;
        }

        boolean counts() {
            return seconds() >= COUNTED_SECONDS;
        }

        static GcPause longer(GcPause one, GcPause other) {
            return one.seconds() >= other.seconds() ? one : other;
        }

        /**
         * Returns whether the operating system caused a standstill: it is long, and the process used hardly any CPU time in it.
         *
         * @param cpuSeconds CPU time that the process used meanwhile; with NaN, which means unknown, the result is false
         */
        static boolean osCaused(double seconds, double cpuSeconds) {
            return seconds >= LONG_SECONDS && cpuSeconds <= STOOD_STILL * seconds;
        }
    }
}
