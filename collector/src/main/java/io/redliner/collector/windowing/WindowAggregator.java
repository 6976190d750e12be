// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests and measurements in, sealed windows out: one window per instance and interval, aligned on the collector's time. Zero traffic over
 * a live stream is a window too, as proof of life; without a stream there is none. Every record is counted, see
 * {@link WindowMetrics}. Safe for use by several threads: one lock guards everything.
 */
public final class WindowAggregator {

    private final WindowSettings settings;

    private final Ledgers ledgers = new Ledgers(new WindowMetrics(), new MeasurementLedger());

    private final DegradationHistory own = new DegradationHistory();

    private final HistogramPool histograms = new HistogramPool();

    private final Map<String, ServiceAggregator> services = new HashMap<>();

    private final Map<String, RunWindowSettings> focuses = new HashMap<>();

    private final Map<String, RequestClassifier> classifiers = new HashMap<>();

    private final Map<String, ProxyRegistry> registries = new HashMap<>();

    private final RequestRecord report = new RequestRecord();

    /** Of services that are gone. */
    private long lastSequence;

    public WindowAggregator(WindowSettings settings) {
        this.settings = settings;
    }

    /** A proxy begins to report the requests of a service. */
    public synchronized RequestRecordStream open(String service, String node, Instant now) {
        RequestRecordStream stream = new RequestRecordStream(service, node, now,
                new StreamClock(settings.grace(), settings.horizon()));
        ServiceAggregator windows = windowsOf(service, now);
        if (windows != null) {
            windows.streams().open(stream);
        }
        return stream;
    }

    /**
     * The stream is over: its requests in flight are forgotten, and instances that only it knew.
     *
     * @param broken whether what was sent last may be lost
     */
    public synchronized void close(RequestRecordStream stream, boolean broken, Instant now) {
        ServiceAggregator windows = services.get(stream.service());
        if (windows != null) {
            windows.close(stream, broken, now);
        }
    }

    /** Counts what a proxy reports, in the order in which it was reported. */
    public synchronized void accept(RequestRecordStream stream, Reports reports, Instant now) {
        ServiceAggregator windows = services.get(stream.service());
        updateListing(stream, now);
        if (!stream.clock().isKnown()) {
            acceptFirst(windows, stream, reports, now);
        }
        while (reports.next(report)) {
            accept(windows, stream, report, now);
        }
    }

    private void updateListing(RequestRecordStream stream, Instant now) {
        ProxyRegistry registry = registries.get(stream.service());
        if (registry != null) {
            stream.listing(registry.listing(stream.node(), now));
        }
    }

    /** The newest of the first records tells the proxy's clock: the others may have waited for a stream. */
    private void acceptFirst(@Nullable ServiceAggregator windows, RequestRecordStream stream, Reports reports,
            Instant now) {
        List<RequestRecord> first = new ArrayList<>();
        while (reports.next(report)) {
            first.add(new RequestRecord().copy(report));
        }
        first.stream().max(Comparator.comparingLong(RequestRecord::proxyMicros))
                .ifPresent(newest -> observe(stream, newest, now));
        first.forEach(single -> accept(windows, stream, single, now));
    }

    private static void observe(RequestRecordStream stream, RequestRecord single, Instant now) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        stream.clock().observe(micros - single.proxyMicros(), micros);
    }

    /** Counts one record of what a proxy reports. */
    public synchronized void accept(RequestRecordStream stream, RequestRecord single, Instant now) {
        updateListing(stream, now);
        accept(services.get(stream.service()), stream, single, now);
    }

    private void accept(@Nullable ServiceAggregator windows, RequestRecordStream stream, RequestRecord single,
            Instant now) {
        observe(stream, single, now);
        single.corrected(stream.clock().correction());
        if (single.isAttempt()) {
            if (windows != null) {
                windows.attemptEnded(stream, single);
            }
            return;
        }
        ledgers.records().receive(single.kind());
        if (windows == null) {
            ledgers.records().drop(single.kind(), RecordDropReason.SERVICES_FULL, 1);
        } else {
            windows.accept(stream, single, now);
        }
    }

    /** Counts a record that could not be made a {@link RequestRecord} of. */
    public void reject(RecordKind kind, RecordDropReason reason) {
        ledgers.records().receive(kind);
        ledgers.records().drop(kind, reason, 1);
    }

    /** Takes what was measured of instances; their services and instances need not be known from proxies. */
    public synchronized void measure(List<GaugeMeasurement> measurements, Instant now) {
        for (GaugeMeasurement measurement : measurements) {
            ledgers.measurements().receive();
            if (Double.isFinite(measurement.value())) {
                measure(measurement, now);
            } else {
                ledgers.measurements().drop(MeasurementDropReason.NOT_FINITE);
            }
        }
    }

    private void measure(GaugeMeasurement measurement, Instant now) {
        ServiceAggregator windows = windowsOf(measurement.subject().service(), now);
        if (windows == null) {
            ledgers.measurements().drop(MeasurementDropReason.SERVICES_FULL);
        } else {
            windows.measure(measurement, now);
        }
    }

    /** A source has told all that it measures of these services until then: their windows need not wait for it. */
    public synchronized void measuredUntil(String source, Collection<String> measured, Instant until) {
        for (String service : measured) {
            ServiceAggregator windows = services.get(service);
            if (windows != null) {
                windows.measuredUntil(source, until);
            }
        }
    }

    /** For some time the collector could not measure well; all windows that touch it are marked. */
    public void impair(DegradationReason impairment, Instant from, Instant to) {
        own.impair(impairment, from, to);
    }

    /** What a gauge of the collector itself was over some time; it is in all windows that touch it. */
    public void measureSelf(String name, double value, Instant from, Instant to) {
        own.measure(name, value, from, to);
    }

    /** A run wants to know more of a service, from the next common boundary on. */
    public synchronized void focus(String service, RunWindowSettings focus, Instant now) {
        focuses.put(service, focus);
        applyFocus(service, now);
    }

    /** No run is live on the service: windows of the ordinary length, no limits. */
    public synchronized void unfocus(String service, Instant now) {
        focuses.remove(service);
        applyFocus(service, now);
    }

    /**
     * Takes a redirector's list of a service's proxies. Records of proxies that no redirector lists do not count.
     *
     * @param nodes their ids
     */
    public synchronized void listProxies(String service, Collection<String> nodes, Instant now) {
        ProxyRegistry registry = registries.size() < settings.maxServices()
                ? registries.computeIfAbsent(service, first -> new ProxyRegistry())
                : registries.get(service);
        ServiceAggregator windows = services.get(service);
        if (registry != null) {
            registry.update(nodes, now);
            if (windows != null) {
                windows.streams().registry(registry);
            }
        }
    }

    /** Node ids of proxies that send records and that no redirector lists, with the service of the records. */
    public synchronized SortedMap<String, String> unknownProxies() {
        SortedMap<String, String> unknown = new TreeMap<>();
        services.values().forEach(windows -> windows.streams().unknown().forEach(
                stream -> unknown.put(stream.node(), stream.service())));
        return unknown;
    }

    /** Classifies the requests of a service by this from now on; by {@link RequestClassifier#DEFAULT} before this is called. */
    public synchronized void classifyBy(String service, RequestClassifier classifier) {
        if (classifiers.size() < settings.maxServices() || classifiers.containsKey(service)) {
            classifiers.put(service, classifier);
        }
        ServiceAggregator windows = services.get(service);
        if (windows != null) {
            windows.classifyBy(classifier);
        }
    }

    /**
     * Seals the windows whose grace is over, and those that all streams have reported in full, oldest first for each service;
     * each is given out once.
     */
    public synchronized List<ClosedWindow> seal(Instant now) {
        List<ClosedWindow> sealed = new ArrayList<>();
        services.values().forEach(windows -> windows.seal(now, sealed));
        forgetIdle();
        own.forgetBefore(now.minus(settings.horizon().multipliedBy(2)).toEpochMilli());
        return sealed;
    }

    /** A service that comes back goes on with higher numbers: lower ones were used. */
    private void forgetIdle() {
        for (Iterator<ServiceAggregator> all = services.values().iterator(); all.hasNext();) {
            ServiceAggregator windows = all.next();
            if (windows.idle()) {
                lastSequence = Math.max(lastSequence, windows.lastSequence());
                all.remove();
            }
        }
    }

    /** When a window can be sealed at the earliest; empty without any service. */
    public synchronized Optional<Instant> sealableAt() {
        return services.values().stream().map(ServiceAggregator::sealableAt).min(Comparator.naturalOrder());
    }

    /** Nobody will look at the window's histograms any more: they are used again. */
    public void release(ClosedWindow window) {
        window.requests().latency().ifPresent(histograms::giveBack);
        window.requests().upstreamLatency().ifPresent(histograms::giveBack);
        window.requests().firstByte().ifPresent(histograms::giveBack);
        window.requests().unanswered().ifPresent(histograms::giveBack);
    }

    /** Of the windows that are cut for a service, or will be soon. */
    public synchronized Duration windowLength(String service) {
        ServiceAggregator windows = services.get(service);
        return windows == null ? focusOf(service).windowLength() : windows.windowLength();
    }

    /** Where the records went. */
    public WindowMetrics ledger() {
        return ledgers.records();
    }

    /** Where the measurements went. */
    public MeasurementLedger measurementLedger() {
        return ledgers.measurements();
    }

    /** Records in windows that are not sealed yet. */
    public synchronized long pending(RecordKind kind) {
        return services.values().stream().mapToLong(windows -> windows.pending(kind)).sum();
    }

    /** Requests whose end has not been reported. */
    public synchronized long inFlight() {
        return services.values().stream().mapToLong(ServiceAggregator::inFlight).sum();
    }

    /** Live proxy streams. */
    public synchronized long streams() {
        return services.values().stream().mapToLong(windows -> windows.streams().size()).sum();
    }

    private @Nullable ServiceAggregator windowsOf(String service, Instant now) {
        ServiceAggregator windows = services.get(service);
        if (windows == null && services.size() < settings.maxServices()) {
            windows = new ServiceAggregator(service, settings, focusOf(service), ledgers, own, histograms, lastSequence,
                    now);
            windows.classifyBy(classifiers.getOrDefault(service, RequestClassifier.DEFAULT));
            windows.streams().registry(registries.getOrDefault(service, new ProxyRegistry()));
            services.put(service, windows);
        }
        return windows;
    }

    private void applyFocus(String service, Instant now) {
        ServiceAggregator windows = services.get(service);
        if (windows != null) {
            windows.focus(focusOf(service), now);
        }
    }

    private RunWindowSettings focusOf(String service) {
        return focuses.getOrDefault(service, new RunWindowSettings(settings.length(), List.of()));
    }
}
