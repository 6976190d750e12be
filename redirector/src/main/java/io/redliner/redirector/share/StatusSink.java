// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

/** Where statuses go. Must not block. */
@FunctionalInterface
public interface StatusSink {

    /** Sends it on its way; may be lost, another follows within a second. */
    void publish(ShareStatus status);
}
