// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowMetrics.MeasurementDropReason;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests and measurements in, closed windows out: one window per instance and interval, aligned on the collector's time.
 * Windows of services without a live run are summaries. Zero traffic over a live stream is a window too, as proof of life;
 * without a stream there is none. Every record is counted, see {@link WindowMetrics}. Safe for use by several threads:
 * requests of different services do not wait for each other.
 */
public final class WindowAggregator {

    private final WindowSettings settings;

    private final WindowMetrics metrics;

    private final DegradationHistory collectorDegradation = new DegradationHistory();

    private final HistogramPool histograms = new HistogramPool();

    /** Added to and removed from under this aggregator's lock, which is taken before a service's. */
    private final Map<String, ServiceAggregator> services = new ConcurrentHashMap<>();

    private final Map<String, RunWindowSettings> runs = new ConcurrentHashMap<>();

    private final Map<String, RequestClassifier> classifiers = new HashMap<>();

    private final Map<String, ServiceProxies> proxies = new HashMap<>();

    /** Highest sequence number of the removed services. */
    private long lastSequence;

    public WindowAggregator(WindowSettings settings, WindowMetrics metrics) {
        this.settings = settings;
        this.metrics = metrics;
    }

    /** Returns a proxy begins to report the requests of a service. */
    public synchronized RequestRecordStream open(String service, String node, Instant now) {
        RequestRecordStream stream = new RequestRecordStream(service, node, now,
                new StreamClock(settings.grace(), settings.horizon()));
        ServiceAggregator aggregator = serviceOf(service, now);
        if (aggregator != null) {
            aggregator.open(stream);
        }
        return stream;
    }

    /**
     * Closes a stream. Its requests in flight are forgotten, and so are the instances that only this stream reported.
     *
     * @param broken whether the last records may be lost
     */
    public void close(RequestRecordStream stream, boolean broken, Instant now) {
        ServiceAggregator aggregator = services.get(stream.service());
        if (aggregator != null) {
            aggregator.close(stream, broken, now);
        }
    }

    /**
     * Counts a proxy's records, in the order in which it reported them. The caller may use the records again afterwards.
     *
     * @param batch of one stream
     */
    public void accept(RequestRecordStream stream, List<RequestRecord> batch, Instant now) {
        ServiceAggregator aggregator = services.get(stream.service());
        if (aggregator != null) {
            aggregator.accept(stream, batch, now);
            return;
        }
        for (RequestRecord record : batch) {
            if (!record.isAttempt()) {
                reject(record.kind(), RecordDropReason.SERVICES_FULL);
            }
        }
    }

    /** Counts an entry that could not be decoded to a {@link RequestRecord}. */
    public void reject(RecordKind kind, RecordDropReason reason) {
        metrics.receive(kind, 1);
        metrics.drop(kind, reason, 1);
    }

    /** Adds measurements of instances; the services and instances need not be known from proxies. */
    public synchronized void measure(List<GaugeMeasurement> measurements, Instant now) {
        for (GaugeMeasurement measurement : measurements) {
            metrics.receiveMeasurement();
            if (Double.isFinite(measurement.value())) {
                measure(measurement, now);
            } else {
                metrics.drop(MeasurementDropReason.NOT_FINITE);
            }
        }
    }

    private void measure(GaugeMeasurement measurement, Instant now) {
        ServiceAggregator aggregator = serviceOf(measurement.instanceId().service(), now);
        if (aggregator == null) {
            metrics.drop(MeasurementDropReason.SERVICES_FULL);
        } else {
            aggregator.measure(measurement, now);
        }
    }

    /**
     * Notes that a source has delivered all its measurements of these services until this time, so that their windows need not
     * wait for it.
     */
    public void measuredUntil(String source, Collection<String> measured, Instant until) {
        for (String service : measured) {
            ServiceAggregator aggregator = services.get(service);
            if (aggregator != null) {
                aggregator.measuredUntil(source, until);
            }
        }
    }

    /** Marks all windows that touch a time in which the collector could not measure well. */
    public void impair(DegradationReason reason, Instant from, Instant to) {
        collectorDegradation.impair(reason, from, to);
    }

    /** Adds a gauge of the collector itself to all windows that touch the time. */
    public void measureSelf(String name, double value, Instant from, Instant to) {
        collectorDegradation.measure(name, value, from, to);
    }

    /** Starts a run on the service: windows have the run's length from the next common boundary on. */
    public synchronized void run(String service, RunWindowSettings run, Instant now) {
        runs.put(service, run);
        ServiceAggregator aggregator = services.get(service);
        if (aggregator != null) {
            aggregator.run(run, now);
        }
    }

    /** Ends the run on the service: its windows are summaries of the ordinary length again. */
    public synchronized void noRun(String service, Instant now) {
        runs.remove(service);
        ServiceAggregator aggregator = services.get(service);
        if (aggregator != null) {
            aggregator.noRun(now);
        }
    }

    /** Returns whether a run is live on the service. */
    public boolean isTested(String service) {
        return runs.containsKey(service);
    }

    /**
     * Updates a redirector's list of a service's proxies. Records of proxies that no redirector lists do not count.
     *
     * @param nodes their ids
     */
    public synchronized void listProxies(String service, String redirector, Collection<String> nodes, Instant now) {
        ServiceAggregator aggregator = services.get(service);
        if (aggregator != null) {
            aggregator.listProxies(redirector, nodes, now);
        } else {
            proxiesOf(service).update(redirector, nodes, now);
        }
    }

    /** Returns whether one of these proxies reports requests of the service here, and is not listed by another redirector. */
    public boolean reports(String service, String redirector, Collection<String> nodes, Instant now) {
        ServiceAggregator aggregator = services.get(service);
        return aggregator != null && aggregator.reports(redirector, nodes, now);
    }

    /** Returns the redirectors whose proxies report requests of the service here, by name. */
    public SortedSet<String> redirectors(String service, Instant now) {
        ServiceAggregator aggregator = services.get(service);
        return aggregator == null ? Collections.emptySortedSet() : aggregator.redirectors(now);
    }

    /** Returns the proxies of a service. Beyond {@code maxServices} they are not kept. */
    private ServiceProxies proxiesOf(String service) {
        ServiceProxies known = proxies.get(service);
        ServiceProxies registry = known == null ? new ServiceProxies() : known;
        if (known == null && proxies.size() < settings.bounds().services()) {
            proxies.put(service, registry);
        }
        return registry;
    }

    /**
     * Returns the limits that RedLiner chose and that ended requests in the last minute, by service; services without any are
     * absent.
     */
    public SortedMap<String, List<OwnLimitEnds>> ownLimits(Instant now) {
        SortedMap<String, List<OwnLimitEnds>> limits = new TreeMap<>();
        services.forEach((service, aggregator) -> {
            List<OwnLimitEnds> ended = aggregator.ownLimits(now);
            if (!ended.isEmpty()) {
                limits.put(service, ended);
            }
        });
        return limits;
    }

    /** Node ids of proxies that send records and that no redirector lists, with the service of the records. */
    public SortedMap<String, String> unknownProxies() {
        SortedMap<String, String> unknown = new TreeMap<>();
        services.forEach(
                (service, aggregator) -> aggregator.unknownProxies().forEach(node -> unknown.put(node, service)));
        return unknown;
    }

    /** Returns how far the clock of each reporting proxy is behind, below 0 ahead, by node id. */
    public SortedMap<String, Duration> clocks(Instant now) {
        SortedMap<String, Duration> behind = new TreeMap<>();
        services.values().forEach(aggregator -> aggregator.clocks(now, behind));
        return behind;
    }

    /**
     * Replaces the settings by which requests of a service are classified; {@link RequestClassifier#DEFAULT} before the first
     * call.
     */
    public synchronized void classifyBy(String service, RequestClassifier classifier) {
        if (classifiers.size() < settings.bounds().services() || classifiers.containsKey(service)) {
            classifiers.put(service, classifier);
        }
        ServiceAggregator aggregator = services.get(service);
        if (aggregator != null) {
            aggregator.classifyBy(classifier);
        }
    }

    /**
     * Closes the windows whose grace is over, and those that all streams have reported in full, oldest first for each service.
     * Each window is returned once.
     */
    public List<WindowCounts> closeDue(Instant now) {
        List<WindowCounts> closed = new ArrayList<>();
        services.values().forEach(aggregator -> aggregator.closeDue(now, closed));
        forgetIdle();
        collectorDegradation.forgetBefore(now.minus(settings.horizon().multipliedBy(2)).toEpochMilli());
        return closed;
    }

    /** Forgets idle services. A service that comes back continues with higher sequence numbers. */
    private synchronized void forgetIdle() {
        for (Iterator<ServiceAggregator> all = services.values().iterator(); all.hasNext();) {
            ServiceAggregator aggregator = all.next();
            if (aggregator.idle()) {
                lastSequence = Math.max(lastSequence, aggregator.lastSequence());
                all.remove();
            }
        }
    }

    /** Returns when a window can be closed at the earliest; empty without any service. */
    public Optional<Instant> nextCloseAt() {
        return services.values().stream().map(ServiceAggregator::nextCloseAt).min(Comparator.naturalOrder());
    }

    /** Returns a window's histograms to the pool; the caller must not use them any more. */
    public void release(WindowCounts window) {
        window.latency().ifPresent(histograms::giveBack);
        window.firstByte().ifPresent(histograms::giveBack);
        window.unanswered().ifPresent(histograms::giveBack);
    }

    /** Returns the length that the windows of a service have once a pending change is done. */
    public Duration windowLength(String service) {
        ServiceAggregator aggregator = services.get(service);
        RunWindowSettings run = runs.get(service);
        return aggregator != null ? aggregator.windowLength() : run == null ? settings.length() : run.windowLength();
    }

    public WindowMetrics metrics() {
        return metrics;
    }

    /** Records in windows that are not closed yet. */
    public long pending(RecordKind kind) {
        return services.values().stream().mapToLong(aggregator -> aggregator.pending(kind)).sum();
    }

    /** Requests whose end has not been reported. */
    public long inFlight() {
        return services.values().stream().mapToLong(ServiceAggregator::inFlight).sum();
    }

    /** Live proxy streams. */
    public long streams() {
        return services.values().stream().mapToLong(ServiceAggregator::streams).sum();
    }

    private @Nullable ServiceAggregator serviceOf(String service, Instant now) {
        ServiceAggregator known = services.get(service);
        if (known != null || services.size() >= settings.bounds().services()) {
            return known;
        }
        ServiceAggregator aggregator = new ServiceAggregator(service, settings, runs.get(service),
                proxiesOf(service), metrics, collectorDegradation, histograms, lastSequence, now);
        aggregator.classifyBy(classifiers.getOrDefault(service, RequestClassifier.DEFAULT));
        services.put(service, aggregator);
        return aggregator;
    }
}
