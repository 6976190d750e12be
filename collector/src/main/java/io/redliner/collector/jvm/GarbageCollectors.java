// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import com.sun.management.GcInfo;
import io.redliner.collector.jvm.GarbageCollector.GcPause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;

/** All garbage collectors of a JVM, and the heap in use after their last collection. */
final class GarbageCollectors {

    private static final int MAX_COLLECTORS = 8;

    private final List<GarbageCollector> collectors = new ArrayList<>();

    private final Map<GarbageCollector, GarbageCollector.Reading> readings = new LinkedHashMap<>();

    private final Set<String> heapPools = new HashSet<>();

    private final StoppedTimeRatio stoppedRatio = new StoppedTimeRatio();

    GarbageCollectors(MBeanReader beans) throws IOException, JMException {
        for (ObjectName bean : beans.named("java.lang:type=GarbageCollector,*").stream().limit(MAX_COLLECTORS)
                .toList()) {
            GarbageCollector collector = new GarbageCollector(beans, bean);
            collector.listen();
            collectors.add(collector);
        }
        for (ObjectName pool : beans.named("java.lang:type=MemoryPool,*")) {
            if ("HEAP".equals(beans.read(pool, "Type").get("Type"))) {
                heapPools.add(String.valueOf(pool.getKeyProperty("name")));
            }
        }
    }

    void read() throws IOException {
        readings.clear();
        for (GarbageCollector collector : collectors) {
            readings.put(collector, collector.read());
        }
    }

    /** Returns the time of all stops since the JVM began, as of the last reading. */
    double totalStoppedSeconds() {
        return collectors.stream().filter(collector -> collector.kind().stops())
                .mapToDouble(GarbageCollector::totalMillis).sum() / 1e3;
    }

    /** Returns the number of those stops. */
    double totalStops() {
        return collectors.stream().filter(collector -> collector.kind().stops())
                .mapToDouble(GarbageCollector::totalCount).sum();
    }

    /** Returns the longest stop between the last two readings, if there was any. */
    Optional<GcPause> longestStop() {
        return readings.entrySet().stream().filter(entry -> entry.getKey().kind().stops())
                .flatMap(entry -> entry.getValue().longest().stream())
                .max(Comparator.comparingDouble(GcPause::seconds));
    }

    /** Returns the stops between the last two readings that are long enough to be counted. */
    List<GcPause> countedStops() {
        return readings.entrySet().stream().filter(entry -> entry.getKey().kind().stops())
                .flatMap(entry -> entry.getValue().counted().stream()).toList();
    }

    /** Returns the bytes in use when the last collection ended, if there was any. */
    OptionalDouble heapAfterCollection() {
        return collectors.stream().filter(collector -> collector.kind().collects())
                .flatMap(collector -> collector.last().stream()).max(Comparator.comparingLong(GcInfo::getEndTime))
                .stream()
                .mapToDouble(this::heapAfter).findAny();
    }

    private double heapAfter(GcInfo collection) {
        return collection.getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> heapPools.contains(pool.getKey())).mapToDouble(pool -> pool.getValue().getUsed()).sum();
    }

    /** Adds the rates and times of all collectors, without the single stops. */
    void report(JvmSampleSet samples) {
        double between = samples.seconds();
        sum(collector -> collector.kind().collects(), GarbageCollector.Reading::count)
                .ifPresent(count -> samples.over("gc.rate", count / between));
        sum(collector -> collector.kind().stops(), GarbageCollector.Reading::seconds)
                .ifPresent(seconds -> samples.over("gc.time", stoppedRatio.of(seconds, between)));
        readings.forEach((collector, reading) -> collector.report(reading, samples));
    }

    /** Returns the longest stop of each collector that stops the JVM. */
    Map<String, GcPause> stopsByCollector() {
        Map<String, GcPause> stops = new LinkedHashMap<>();
        readings.forEach((collector, reading) -> reading.longest().filter(stop -> collector.kind().stops())
                .ifPresent(stop -> stops.put(collector.name(), stop)));
        return stops;
    }

    private OptionalDouble sum(Predicate<GarbageCollector> collectors,
            Function<GarbageCollector.Reading, OptionalDouble> figure) {
        double sum = readings.entrySet().stream().filter(entry -> collectors.test(entry.getKey()))
                .mapToDouble(entry -> figure.apply(entry.getValue()).orElse(Double.NaN)).sum();
        return Double.isNaN(sum) ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }

    void close() throws IOException, JMException {
        for (GarbageCollector collector : collectors) {
            collector.stopListening();
        }
    }
}
