// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.share.Acceptance.Rejected;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controllers are told. Nothing is, before every lease of former times has been read: what is refused until then
 * are old records, and what is in force is not known.
 */
final class Reports {

    private final Journal journal;

    private boolean begun;

    Reports(Journal journal) {
        this.journal = journal;
    }

    /** Every lease of former times has been read. */
    void begin() {
        begun = true;
    }

    boolean begun() {
        return begun;
    }

    void status(Redirection redirection, ShareStatus status) {
        if (begun) {
            redirection.reported(status);
            journal.report(status);
        }
    }

    /**
     * Says that a lease was refused.
     *
     * @param redirection of its service; null when that is not known
     * @param proxies that carry the service
     */
    void tell(Lease lease, Rejected rejected, @Nullable Redirection redirection, List<Proxy> proxies, Instant now) {
        // A doubled message says nothing new.
        if (begun && rejected.rejection() != Rejection.STALE_SEQUENCE) {
            String reason = rejected.rejection() + ": " + rejected.message();
            journal.report(redirection == null
                    ? StatusWriter.unknownService(lease, reason, now)
                    : StatusWriter.rejected(redirection, lease, reason, proxies, now));
        }
    }

    /** A lease was refused. */
    void rejected(Lease lease, Rejection rejection) {
        journal.rejected(lease, rejection);
    }

    void accepted(Lease lease) {
        journal.accepted(lease);
    }

    /** The service is not listed any more. */
    void ended(String service) {
        journal.ended(service);
    }
}
