// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.redirector.share.Journal;
import io.redliner.redirector.share.Lease;
import io.redliner.redirector.share.Rejection;
import io.redliner.redirector.share.Share;
import io.redliner.redirector.share.ShareStatus;
import io.redliner.redirector.share.StatusSink;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts leases and shows shares and proxies. Every readable lease that came in is counted once, so
 * {@code redliner_leases_total} summed over result and reason = leases received.
 */
public final class MeteredJournal implements Journal {

    private final MeterRegistry registry;

    private final StatusSink sink;

    private final Map<String, Double> shares = new ConcurrentHashMap<>();

    private final Map<String, Integer> proxies = new ConcurrentHashMap<>();

    public MeteredJournal(MeterRegistry registry, StatusSink sink) {
        this.registry = registry;
        this.sink = sink;
    }

    @Override
    public void report(ShareStatus status) {
        if (status.state() != ShareStatus.State.REJECTED) {
            show(status);
        }
        sink.publish(status);
    }

    private void show(ShareStatus status) {
        double ratio = status.runId().isEmpty() ? Double.NaN : (double) status.share().ppm() / Share.WHOLE_PPM;
        if (shares.put(status.service(), ratio) == null) {
            Gauge.builder("redliner.share.ratio", () -> shares.getOrDefault(status.service(), Double.NaN))
                    .description(
                            "Share of the service's traffic that the instance under test receives by the last lease:"
                                    + " in force in every proxy, or else its natural share; NaN when there was no lease")
                    .tag("service", status.service())
                    .register(registry);
        }
        if (proxies.put(status.service(), status.proxies().size()) == null) {
            Gauge.builder("redliner.proxies", () -> proxies.getOrDefault(status.service(), 0))
                    .description("Proxies of the service that are connected to this redirector")
                    .tag("service", status.service())
                    .register(registry);
        }
    }

    @Override
    public void accepted(Lease lease) {
        leases("accepted", "none").increment();
    }

    @Override
    public void rejected(Lease lease, Rejection rejection) {
        leases("rejected", rejection.name().toLowerCase(Locale.ROOT)).increment();
    }

    private Counter leases(String result, String reason) {
        return Counter.builder("redliner.leases")
                .description("Leases received, by what became of them")
                .tag("result", result)
                .tag("reason", reason)
                .register(registry);
    }
}
