// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Where statuses go. Must not block. */
@FunctionalInterface
public interface LeaseStatusSink {

    /** Sends it on its way; may be lost, another follows within a second. */
    void publish(ServiceLeaseStatus status);
}
