// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests in, sealed windows out: one window per instance and interval, aligned on the proxies' time. Zero traffic over
 * a live stream is a window too, as proof of life; without a stream there is none. Every record is counted, see
 * {@link RecordLedger}. Safe for use by several threads: one lock guards everything.
 */
public final class Windows {

    private final WindowSettings settings;

    private final RecordLedger ledger = new RecordLedger();

    private final Map<String, ServiceWindows> services = new HashMap<>();

    private final Map<String, Focus> focuses = new HashMap<>();

    private long streams;

    public Windows(WindowSettings settings) {
        this.settings = settings;
    }

    /** A proxy begins to report the requests of a service. */
    public synchronized ProxyStream open(String service, String node, Instant now) {
        streams++;
        ProxyStream stream = new ProxyStream(streams, service, node, now);
        ServiceWindows windows = services.get(service);
        if (windows == null && services.size() < settings.maxServices()) {
            windows = new ServiceWindows(service, settings, ledger, now);
            windows.focus(focusOf(service), now);
            services.put(service, windows);
        }
        if (windows != null) {
            windows.open(stream);
        }
        return stream;
    }

    /** The stream is over: its requests in flight are forgotten, and instances that only it knew. */
    public synchronized void close(ProxyStream stream, Instant now) {
        ServiceWindows windows = services.get(stream.service());
        if (windows != null) {
            windows.close(stream, now);
        }
    }

    /** Counts what a proxy reports, in the order in which it was reported. */
    public synchronized void accept(ProxyStream stream, List<? extends RequestRecord> records, Instant now) {
        ServiceWindows windows = services.get(stream.service());
        for (RequestRecord record : records) {
            ledger.receive(record.kind());
            if (windows == null) {
                ledger.drop(record.kind(), DropReason.SERVICES_FULL, 1);
            } else {
                windows.accept(stream, record, now);
            }
        }
    }

    /** Counts a record that could not be made a {@link RequestRecord} of. */
    public synchronized void reject(RecordKind kind, DropReason reason) {
        ledger.receive(kind);
        ledger.drop(kind, reason, 1);
    }

    /** A run wants to know more of a service, from the next common boundary on. */
    public synchronized void focus(String service, Focus focus, Instant now) {
        focuses.put(service, focus);
        applyFocus(service, now);
    }

    /** No run is live on the service: windows of the ordinary length, no limits. */
    public synchronized void unfocus(String service, Instant now) {
        focuses.remove(service);
        applyFocus(service, now);
    }

    /** Seals the windows whose grace is over, oldest first for each service; each is given out once. */
    public synchronized List<SealedWindow> seal(Instant now) {
        List<SealedWindow> sealed = new ArrayList<>();
        services.values().forEach(windows -> windows.seal(now, sealed));
        return sealed;
    }

    /** Where the records went. */
    public RecordLedger ledger() {
        return ledger;
    }

    /** Records in windows that are not sealed yet. */
    public synchronized long pending(RecordKind kind) {
        return services.values().stream().mapToLong(windows -> windows.pending(kind)).sum();
    }

    /** Requests whose end has not been reported. */
    public synchronized long inFlight() {
        return services.values().stream().mapToLong(ServiceWindows::inFlight).sum();
    }

    /** Live proxy streams. */
    public synchronized long streams() {
        return services.values().stream().mapToLong(ServiceWindows::streams).sum();
    }

    private void applyFocus(String service, Instant now) {
        ServiceWindows windows = services.get(service);
        if (windows != null) {
            windows.focus(focusOf(service), now);
        }
    }

    private Focus focusOf(String service) {
        return focuses.getOrDefault(service, new Focus(settings.length(), List.of()));
    }
}
