// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.lease.LeaseDecision.Rejected;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the controllers and to the journal. Nothing is reported before all earlier leases have been read: until then the
 * rejected leases are old records, and the lease in force is not known.
 */
final class Reports {

    private final LeaseStatusSink sink;

    private final Journal journal;

    private boolean begun;

    private KillSwitch killSwitch = KillSwitch.NEVER_ENGAGED;

    Reports(LeaseStatusSink sink, Journal journal) {
        this.sink = sink;
        this.journal = journal;
    }

    /** Starts the reports: all earlier leases have been read. */
    void begin() {
        begun = true;
    }

    boolean begun() {
        return begun;
    }

    void status(ServiceRoutingState routing, ServiceLeaseStatus status) {
        if (begun) {
            routing.reported(status);
            publish(status);
        }
    }

    /** Returns whether the kill switch that is obeyed is another one now, so that every status says something new. */
    boolean turned(KillSwitch obeyed) {
        boolean other = !obeyed.equals(killSwitch);
        killSwitch = obeyed;
        return other;
    }

    /** The kill switch as it is obeyed. */
    KillSwitch killSwitch() {
        return killSwitch;
    }

    private void publish(ServiceLeaseStatus status) {
        sink.publish(status);
        journal.reported(status);
    }

    /**
     * Reports that a lease was rejected.
     *
     * @param routing of its service; null when the service is not known
     * @param proxies that carry the service
     */
    void reportRejected(Lease lease, Rejected rejected, @Nullable ServiceRoutingState routing, List<Proxy> proxies,
            Instant now) {
        // A duplicate needs no report.
        if (begun && rejected.rejection() != LeaseRejectionReason.STALE_SEQUENCE) {
            String reason = rejected.rejection() + ": " + rejected.message();
            publish(LeaseStatusFactory.rejected(lease, reason, routing, proxies, killSwitch, now));
        }
    }

    /** Counts a lease as rejected. */
    void rejected(Lease lease, LeaseRejectionReason rejection) {
        journal.rejected(lease, rejection);
    }

    void accepted(Lease lease) {
        journal.accepted(lease);
    }

    /** Passes on that the service is not listed any more. */
    void ended(String service) {
        journal.ended(service);
    }
}
