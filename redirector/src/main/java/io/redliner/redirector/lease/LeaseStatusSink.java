// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Sends statuses. Must not block. */
@FunctionalInterface
public interface LeaseStatusSink {

    /** Sends a status, which may be lost: another one follows within a second. */
    void publish(ServiceLeaseStatus status);
}
