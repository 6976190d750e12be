// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import javax.management.JMException;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * One garbage collector of a JVM. Its bean shows only the last collection. Earlier ones between two polls arrive as
 * notifications, of which only the longest is kept.
 */
final class GarbageCollector implements NotificationListener {

    private final MBeanReader beans;

    private final ObjectName bean;

    private final String name;

    private final GcBeanKind kind;

    private final MonotonicDelta countDelta = new MonotonicDelta();

    private final MonotonicDelta millisDelta = new MonotonicDelta();

    private final StoppedTimeRatio stoppedRatio = new StoppedTimeRatio();

    private @Nullable GcPause longestPause;

    private @Nullable GcInfo last;

    private boolean begun;

    private long reported = -1;

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

    void hush() throws IOException, JMException {
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
                longest(values.get("LastGcInfo") instanceof CompositeData data ? GcInfo.from(data) : null));
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
        if (begun && newest != null && (last == null || newest.getId() != last.getId())) {
            merge(newest);
        }
        begun = true;
        last = newest;
        GcPause pause = longestPause;
        longestPause = null;
        if (pause != null) {
            reported = pause.id();
        }
        return Optional.ofNullable(pause);
    }

    /**
     * Merges a collection into the longest stop. A notification can come after the poll that read the same collection from the
     * bean.
     */
    private synchronized void merge(GcInfo collection) {
        GcPause pause = new GcPause(collection.getId(), collection.getStartTime(), collection.getEndTime());
        if (begun && pause.id() != reported) {
            longestPause = longestPause == null ? pause : GcPause.longer(longestPause, pause);
        }
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
     */
    record Reading(OptionalDouble count, OptionalDouble seconds, Optional<GcPause> longest) {}
}
