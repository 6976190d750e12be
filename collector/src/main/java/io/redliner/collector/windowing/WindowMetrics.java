// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counters of records and measurements. For records {@code received = published + dropped (over all reasons) + pending}, where
 * pending records are in windows that are not closed yet. For measurements {@code received = kept + dropped (over all reasons)}.
 * For any thread.
 */
public final class WindowMetrics {

    private static final String RECORDS = "redliner.access.log.records";

    private static final String MEASUREMENTS = "redliner.measurements";

    private static final String KIND = "kind";

    private static final String DROPPED = "dropped";

    private final Map<RecordKind, Records> records = new EnumMap<>(RecordKind.class);

    private final ReasonCounters<InFlightEvictionReason> forgottenByReason;

    private final Counter measurementsReceived;

    private final Counter measurementsKept;

    private final ReasonCounters<MeasurementDropReason> measurementsDroppedByReason;

    /** Registers all counters, at 0. */
    public WindowMetrics(MeterRegistry registry) {
        for (RecordKind kind : RecordKind.values()) {
            String label = ReasonCounters.label(kind);
            records.put(kind, new Records(ReasonCounters.successes(registry, RECORDS, "received", KIND, label),
                    ReasonCounters.successes(registry, RECORDS, "published", KIND, label),
                    new ReasonCounters<>(registry, RECORDS, DROPPED, RecordDropReason.class, KIND, label)));
        }
        forgottenByReason = new ReasonCounters<>(registry, "redliner.requests.forgotten", DROPPED,
                InFlightEvictionReason.class);
        measurementsReceived = ReasonCounters.successes(registry, MEASUREMENTS, "received");
        measurementsKept = ReasonCounters.successes(registry, MEASUREMENTS, "kept");
        measurementsDroppedByReason = new ReasonCounters<>(registry, MEASUREMENTS, DROPPED,
                MeasurementDropReason.class);
    }

    private record Records(Counter received, Counter published, ReasonCounters<RecordDropReason> droppedByReason) {}

    /** Registers gauges of the records, streams and requests that the windows hold at the moment. */
    public static void bind(MeterRegistry registry, WindowAggregator windows) {
        for (RecordKind kind : RecordKind.values()) {
            Gauge.builder("redliner.access.log.records.pending", windows, all -> all.pending(kind))
                    .tag(KIND, ReasonCounters.label(kind)).description("Records in windows that are not closed yet")
                    .register(registry);
        }
        Gauge.builder("redliner.access.log.streams", windows, WindowAggregator::streams).register(registry);
        Gauge.builder("redliner.requests.in.flight", windows, WindowAggregator::inFlight).register(registry);
    }

    /** Returns the number of received records. */
    public long received(RecordKind kind) {
        return (long) of(kind).received.count();
    }

    /** Records that are counted in a closed window, or only in the latency history of a service without a run. */
    public long published(RecordKind kind) {
        return (long) of(kind).published.count();
    }

    /** Records that are in no window. */
    public long dropped(RecordKind kind, RecordDropReason reason) {
        return of(kind).droppedByReason.get(reason);
    }

    /** Records that are in no window, for whatever reason. */
    public long dropped(RecordKind kind) {
        return of(kind).droppedByReason.sum();
    }

    /** Requests in flight that the collector forgot; their starts stay counted. */
    public long forgotten(InFlightEvictionReason reason) {
        return forgottenByReason.get(reason);
    }

    /** Returns the number of received measurements. */
    public long measurementsReceived() {
        return (long) measurementsReceived.count();
    }

    /** Measurements that are in a window, or in one that is still open. */
    public long measurementsKept() {
        return (long) measurementsKept.count();
    }

    /** Measurements that are in no window. */
    public long measurementsDropped(MeasurementDropReason reason) {
        return measurementsDroppedByReason.get(reason);
    }

    void receive(RecordKind kind, long count) {
        of(kind).received.increment((double) count);
    }

    void publish(RecordKind kind, long count) {
        of(kind).published.increment((double) count);
    }

    void drop(RecordKind kind, RecordDropReason reason, long count) {
        of(kind).droppedByReason.add(reason, count);
    }

    void forget(InFlightEvictionReason reason) {
        forgottenByReason.add(reason, 1);
    }

    void receiveMeasurement() {
        measurementsReceived.increment();
    }

    void keepMeasurement() {
        measurementsKept.increment();
    }

    void drop(MeasurementDropReason reason) {
        measurementsDroppedByReason.add(reason, 1);
    }

    private Records of(RecordKind kind) {
        Records of = records.get(kind);
        if (of == null) {
            throw new IllegalStateException("no counters for " + kind);
        }
        return of;
    }

    /** Reasons why a record is in no published window. */
    public enum RecordDropReason {

        /** The window of the record was closed before the record came. */
        LATE,

        /** The record's time is further ahead of the collector's clock than the windows reach. */
        FUTURE,

        /** A field that is needed is missing or makes no sense. */
        MALFORMED,

        /**
         * The request never reached an instance and was on no route of a test: the proxy had no instance for it, or answered by
         * itself.
         */
        NO_UPSTREAM,

        /** The request took several attempts; each of them is counted instead. */
        RETRIED,

        /** No redirector lists the proxy. */
        UNKNOWN_PROXY,

        /** No proxy stream that knows the instance was alive when the window was closed. */
        NO_STREAM,

        /** The collector stood still for too long, so the window is useless. */
        STALLED,

        /** The service has as many instances as are allowed. */
        INSTANCES_FULL,

        /** The service has as many requests in flight as are allowed. */
        IN_FLIGHT_FULL,

        /** There are as many services as are allowed. */
        SERVICES_FULL
    }

    /** Reasons why a measurement is in no window. */
    public enum MeasurementDropReason {

        /** Its value is not a number, or infinite. */
        NOT_FINITE,

        /** The measurement, with its hold, ends before the oldest open window. */
        LATE,

        /** Its time is further ahead of the collector's clock than the windows reach. */
        FUTURE,

        /** The instance has as many gauges as are allowed. */
        GAUGES_FULL,

        /** The service has as many instances as are allowed. */
        INSTANCES_FULL,

        /** There are as many services as are allowed. */
        SERVICES_FULL
    }

    /** Reasons why a request in flight is no longer followed although its end was never seen. */
    public enum InFlightEvictionReason {

        /** The proxy stream that reported its start closed. */
        STREAM_CLOSED,

        /**
         * The proxy should have given it up: it is older than its timeout and the horizon together, or than
         * {@link WindowSettings#longestRequest()}. Its end was probably lost.
         */
        EXPIRED,

        /** The request ended after several attempts, and the proxy did not report how this one ended. */
        SUPERSEDED
    }
}
