// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseJournal;
import io.redliner.redirector.lease.LeaseRejectionReason;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts leases and shows shares and proxies. Every readable lease that came in is counted once, so
 * {@code redliner_leases_total} summed over result and reason = leases received.
 */
public final class LeaseMetrics implements LeaseJournal {

    private final MeterRegistry registry;

    private final Map<String, Shown> services = new ConcurrentHashMap<>();

    public LeaseMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void reported(ServiceLeaseStatus status) {
        if (status.state() != ReportedLeaseState.REJECTED) {
            show(status);
        }
    }

    private void show(ServiceLeaseStatus status) {
        Shown shown = services.computeIfAbsent(status.service(), this::register);
        shown.share = status.runId().isEmpty() ? Double.NaN : (double) status.share().ppm() / Share.WHOLE_PPM;
        shown.proxies = status.proxies().size();
    }

    private Shown register(String service) {
        Shown shown = new Shown();
        shown.meters.add(Gauge.builder("redliner.share.ratio", shown, now -> now.share)
                .description(
                        "Share of the service's traffic that the instance under test receives by the last lease:"
                                + " in force in every proxy, or else its natural share; NaN when there was no lease")
                .tag("service", service)
                .register(registry));
        shown.meters.add(Gauge.builder("redliner.proxies", shown, now -> now.proxies)
                .description("Proxies of the service that are connected to this redirector")
                .tag("service", service)
                .register(registry));
        return shown;
    }

    @Override
    public void ended(String service) {
        Shown shown = services.remove(service);
        if (shown != null) {
            shown.meters.forEach(registry::remove);
        }
    }

    @Override
    public void accepted(Lease lease) {
        leases("accepted", "none").increment();
    }

    @Override
    public void rejected(Lease lease, LeaseRejectionReason rejection) {
        leases("rejected", rejection.name().toLowerCase(Locale.ROOT)).increment();
    }

    private Counter leases(String result, String reason) {
        return Counter.builder("redliner.leases")
                .description("Leases received, by what became of them")
                .tag("result", result)
                .tag("reason", reason)
                .register(registry);
    }

    /** The gauges of one service. */
    private static final class Shown {

        private final List<Gauge> meters = new ArrayList<>();

        private volatile double share = Double.NaN;

        private volatile int proxies;
    }
}
