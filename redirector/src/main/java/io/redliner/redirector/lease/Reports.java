// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.lease.LeaseDecision.Rejected;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports lease statuses to the controllers and to the journal. Nothing is reported before all earlier leases have been read: until
 * then rejected leases are old records, and the lease in force is unknown.
 */
final class Reports {

    private final LeaseStatusSink sink;

    private final LeaseJournal journal;

    private boolean started;

    private KillSwitch killSwitch = KillSwitch.NEVER_ENGAGED;

    Reports(LeaseStatusSink sink, LeaseJournal journal) {
        this.sink = sink;
        this.journal = journal;
    }

    /** Starts the reports, once all earlier leases have been read. */
    void begin() {
        started = true;
    }

    boolean started() {
        return started;
    }

    void status(ServiceRoutingState routing, ServiceLeaseStatus status) {
        if (started) {
            routing.reported(status);
            publish(status);
        }
    }

    /** Notes the kill switch that is obeyed. Returns true when it has changed, so that all statuses have to be reported again. */
    boolean updateKillSwitch(KillSwitch obeyed) {
        boolean other = !obeyed.equals(killSwitch);
        killSwitch = obeyed;
        return other;
    }

    /** Returns the kill switch that is obeyed. */
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
     * @param routing the routing of its service; null when the service is unknown
     * @param proxies the proxies that carry the service
     */
    void reportRejected(Lease lease, Rejected rejected, @Nullable ServiceRoutingState routing, List<Proxy> proxies,
            Instant now) {
        // A duplicate needs no report.
        if (started && rejected.rejection() != LeaseRejectionReason.STALE_SEQUENCE) {
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

    /** Notes in the journal that the service is no longer listed. */
    void ended(String service) {
        journal.ended(service);
    }
}
